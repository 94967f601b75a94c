import path from 'node:path';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { CommandIo } from '../command-line/services.ts';
import { displayPath } from '../files/config-files.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import type { CompiledFiles } from './compiled-files.ts';

/** The files of folders, and those among them that are of another kind than configs. */
export interface SplitFiles {
  readonly files: readonly CompiledFile[];
  /** A sentence each on those that are left out. */
  readonly leftOut: readonly string[];
}

/**
 * Leaves out the files of folders that are no configs by what they contain, such as a gateway file of another name than
 * `gateway.json`. One that an argument names is an error, and so is one in the folder that the gateway serves.
 */
export const leaveOutOthers = (
  { files, environment: { configsFolder, unread } }: Pick<CompiledFiles, 'files' | 'environment'>,
  paths: readonly string[],
  { cwd }: CommandIo,
): SplitFiles => {
  // The only one is the gateway file then.
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
      return other === undefined ? [] : [`${each.file} is left out. ${other.message} ${other.hint ?? ''}`];
    }),
  };
};
