import path from 'node:path';
import type { CommandIo } from './services.ts';
import { UsageError } from './usage-error.ts';

/** A config to read. */
export interface ConfigFile {
  /** As messages and plans show it: relative to the working folder where it lies below it, with `/`. */
  readonly file: string;
  /** What its plan is called where the config itself has no name. */
  readonly name: string;
}

const ending = /\.jsonc?$/;
const isConfig = (name: string): boolean => ending.test(name) && !name.endsWith('.plan.json') && !name.startsWith('.');

/** A path as the machine that compiles has no say in it: relative to the working folder, with `/`. */
export const displayPath = (file: string, cwd: string): string => {
  const relative = path.relative(cwd, path.resolve(cwd, file));
  const shown = relative === '' ? '.' : relative.startsWith('..') ? file : relative;
  return shown.split(path.sep).join('/');
};

const configsIn = async (folder: string, io: CommandIo): Promise<readonly string[]> => {
  const names = (await io.list(folder)).filter(isConfig);
  const kinds = await Promise.all(names.map((name) => io.kindOf(path.join(folder, name))));
  return names.filter((_, index) => kinds[index] === 'file').map((name) => path.join(folder, name));
};

/**
 * The configs that arguments name, in their order and each once: files as they are, and of a folder its `*.json` and
 * `*.jsonc` (not the compiled plans, not the folders below it, not the gateway file). Throws a `UsageError` for a path
 * where nothing is, and for a folder without configs.
 */
export const configFiles = async (
  io: CommandIo,
  paths: readonly string[],
  gatewayFile: string | undefined,
): Promise<readonly ConfigFile[]> => {
  const gateway = gatewayFile === undefined ? undefined : displayPath(gatewayFile, io.cwd);
  const files = new Set<string>();
  for (const given of paths) {
    const kind = await io.kindOf(given);
    if (kind === undefined) throw new UsageError(`There is no file or folder "${given}".`, `Paths start at ${io.cwd}.`);
    if (kind === 'file') {
      files.add(displayPath(given, io.cwd));
      continue;
    }
    const found = (await configsIn(given, io)).map((file) => displayPath(file, io.cwd));
    const configs = found.filter((file) => file !== gateway);
    if (configs.length === 0)
      throw new UsageError(
        `The folder "${given}" holds no configs.`,
        'Configs are files that end in .json or .jsonc; folders below it are not looked into.',
      );
    for (const file of configs) files.add(file);
  }
  return [...files].map((file) => ({ file, name: path.posix.basename(file).replace(ending, '') }));
};
