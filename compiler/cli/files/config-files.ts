import path from 'node:path';
import {
  factsFileOf,
  fileEndingsText,
  hasFileEnding,
  isNpmFile,
  isOtherFile,
  isRouteFile,
  withoutEnding,
} from '../../../schema/config/file-names.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isOpen, namesIn } from './names-in-folder.ts';

/** A config to read. */
export interface ConfigFile {
  /** The path in messages and plans: relative to the working folder if it is below it, with `/`. */
  readonly file: string;
  /** The name of its plan if the config itself has none. */
  readonly name: string;
  /** Whether it was found in a folder rather than named by an argument. If so, it is not a pipe that somebody writes to. */
  readonly isListed: boolean;
}

const isConfig = (name: string): boolean =>
  hasFileEnding(name) &&
  !name.endsWith('.plan.json') &&
  !isRouteFile(name) &&
  !isNpmFile(name) &&
  !name.startsWith('.');

/** Returns a path that is the same on every machine: relative to the working folder, with `/`. */
export const displayPath = (file: string, cwd: string): string => {
  const relative = path.relative(cwd, path.resolve(cwd, file));
  const shown = relative === '' ? '.' : relative.startsWith('..') ? file : relative;
  return shown.split(path.sep).join('/');
};

const configsIn = async (folder: string, io: CommandIo): Promise<readonly string[]> => {
  const names = (await namesIn(folder, io)).filter(isConfig);
  const kinds = await Promise.all(names.map((name) => io.readKind(path.join(folder, name))));
  // A broken link is a mistake too: the gateway rejects it.
  return names.filter((_, index) => kinds[index] !== 'folder').map((name) => path.join(folder, name));
};

/** Lists the configs of a folder and of its sub-folders. Visits each folder once, whatever the links. */
const configsBelow = async (folder: string, io: CommandIo, seen: Set<string>): Promise<readonly string[]> => {
  const found = [...(await configsIn(folder, io))];
  for (const name of (await namesIn(folder, io)).filter(isOpen)) {
    const below = path.join(folder, name);
    if ((await io.readKind(below)) !== 'folder') continue;
    const real = await io.realPath(below);
    if (seen.has(real)) continue;
    seen.add(real);
    const inside = await configsBelow(below, io, seen);
    // A gateway file below a folder of configs belongs to another gateway, and so do the files beside it.
    found.push(...inside.filter((file) => !isOtherFile(path.basename(file))));
  }
  return found;
};

/** Returns the gateway file and the files beside it that are not configs. */
const ownFiles = (gatewayFile: string | undefined, { cwd }: CommandIo): ReadonlySet<string> =>
  new Set(
    (gatewayFile === undefined ? [] : [gatewayFile, factsFileOf(gatewayFile)]).map((file) => displayPath(file, cwd)),
  );

const toConfigFile = (file: string, isListed: boolean): ConfigFile => ({
  file,
  name: withoutEnding(path.posix.basename(file)),
  isListed,
});

export interface ConfigFilesOptions {
  readonly gatewayFile: string | undefined;
  /** Whether the sub-folders of a folder are read too. */
  readonly deep: boolean;
}

/** Returns the kind of a path that a user named. Throws a `UsageError` if nothing is there. */
export const readNamedKind = async (named: string, io: CommandIo): Promise<'file' | 'folder'> => {
  const kind = await io.readKind(named);
  if (kind !== undefined) return kind;
  const { missingPath } = await import('./missing-path.ts');
  throw await missingPath(io, { given: named });
};

/**
 * Lists the configs that arguments name, in order and each once: files as they are, and of a folder its `*.json`, `*.jsonc`,
 * `*.yaml` and `*.yml` (except compiled plans, route tests, the files of npm and the gateway file), including those of its
 * sub-folders if `deep` is set. Throws a `UsageError` for a path that does not exist, and for a folder without configs.
 */
export const configFiles = async (
  io: CommandIo,
  paths: readonly string[],
  { gatewayFile, deep }: ConfigFilesOptions,
): Promise<readonly ConfigFile[]> => {
  const gateway = ownFiles(gatewayFile, io);
  const named = new Set<string>();
  const files = new Set<string>();
  for (const given of paths) {
    const kind = await readNamedKind(given, io);
    if (kind === 'file') {
      named.add(displayPath(given, io.cwd));
      files.add(displayPath(given, io.cwd));
      continue;
    }
    const inside = deep ? configsBelow(given, io, new Set([await io.realPath(given)])) : configsIn(given, io);
    const found = (await inside).map((file) => displayPath(file, io.cwd));
    const configs = found.filter((file) => !gateway.has(file));
    if (configs.length === 0)
      throw new UsageError(
        `The folder "${given}" contains no configs.`,
        deep
          ? `Configs are files whose names end in ${fileEndingsText}.`
          : `Configs are files whose names end in ${fileEndingsText}; sub-folders are not read.`,
      );
    for (const file of configs) files.add(file);
  }
  return [...files].map((file) => toConfigFile(file, !named.has(file)));
};

/** Lists the configs of a folder that a gateway serves, without those of sub-folders; empty if the folder does not exist. */
export const servedFiles = async (
  io: CommandIo,
  folder: string,
  gatewayFile: string | undefined,
): Promise<readonly ConfigFile[]> => {
  if ((await io.readKind(folder)) !== 'folder') return [];
  const own = ownFiles(gatewayFile, io);
  const found = (await configsIn(folder, io)).map((file) => displayPath(file, io.cwd));
  return found.filter((file) => !own.has(file)).map((file) => toConfigFile(file, true));
};
