import path from 'node:path';
import { closest } from '../../diagnostics/closest.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isOpen } from './names-in-folder.ts';

/** Returns the path in the same folder whose name is the most similar. Undefined if none is similar. */
const nearPath = async (io: CommandIo, given: string): Promise<string | undefined> => {
  const folder = path.dirname(given);
  const names = await io.list(folder).catch(() => []);
  const near = closest(path.basename(given), names.filter(isOpen));
  return near === undefined ? undefined : path.join(folder, near).split(path.sep).join('/');
};

interface MissingPath {
  readonly what?: 'file' | 'file or folder';
  readonly given: string;
  /** The hint if no similar path exists. */
  readonly otherwise?: string;
}

/** Returns the error for an argument that is not the path of a file or folder. */
export const missingPath = async (
  io: CommandIo,
  { what = 'file or folder', given, otherwise = `Paths start at ${io.cwd}.` }: MissingPath,
): Promise<UsageError> => {
  const near = await nearPath(io, given);
  return new UsageError(`There is no ${what} "${given}".`, near === undefined ? otherwise : `Did you mean "${near}"?`);
};
