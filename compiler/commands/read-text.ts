import type { CommandIo } from './services.ts';
import { UsageError } from './usage-error.ts';

const reasons: { readonly [code: string]: string } = {
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? (reasons[String(error.code)] ?? error.message) : String(error);

/** A file's text. Throws a `UsageError` where there is none, or it cannot be read. */
export const readText = async (io: CommandIo, file: string): Promise<string> => {
  if ((await io.kindOf(file)) === undefined)
    throw new UsageError(`There is no file "${file}".`, `Paths start at ${io.cwd}.`);
  try {
    return await io.readFile(file);
  } catch (error) {
    throw new UsageError(`The file "${file}" cannot be read: ${reasonOf(error)}.`, 'Check the path and its rights.');
  }
};
