import path from 'node:path';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { CommandIo } from '../command-line/services.ts';
import { displayPath } from '../files/config-files.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import type { CompiledFiles } from './compiled-files.ts';

/** The files of folders, split into configs and others. */
export interface SplitFiles {
  readonly files: readonly CompiledFile[];
  /** A sentence on each file that is skipped. */
  readonly leftOut: readonly string[];
}

/**
 * Skips the files of folders whose contents show that they are not configs, such as a gateway file with another name than
 * `gateway.json`. If an argument names such a file, it is an error; so is one in the folder that the gateway serves.
 */
export const leaveOutOthers = (
  { files, environment: { configsFolder, unread } }: Pick<CompiledFiles, 'files' | 'environment'>,
  paths: readonly string[],
  { cwd }: CommandIo,
): SplitFiles => {
  // In that case, the gateway file is the only file.
  if (unread === true) return { files, leftOut: [] };
  const named = new Set(paths.map((each) => displayPath(each, cwd)));
  const served = configsFolder === undefined ? undefined : path.resolve(cwd, configsFolder);
  const isMistake = (file: string): boolean => named.has(file) || path.dirname(path.resolve(cwd, file)) === served;
  const findOther = ({ file, diagnostics }: CompiledFile): Diagnostic | undefined =>
    isMistake(file) ? undefined : diagnostics.find(({ code }) => code === 'wrong-file');
  return {
    files: files.filter((each) => findOther(each) === undefined),
    leftOut: files.flatMap((each) => {
      const other = findOther(each);
      return other === undefined ? [] : [`${each.file} is skipped. ${other.message} ${other.hint ?? ''}`];
    }),
  };
};
