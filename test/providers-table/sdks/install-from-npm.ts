import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Load } from './vendor-sdk.ts';

const run = promisify(execFile);

/** Libraries that are installed in a folder of their own. */
export interface NpmLibraries {
  versionOf(library: string): Promise<string>;
  readonly load: Load;
}

/** Installs libraries from npm in the folder. */
export const installFromNpm = async (folder: string, libraries: readonly string[]): Promise<NpmLibraries> => {
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...libraries]);
  // A module in the folder resolves imports to what is installed there.
  const loader = path.join(folder, 'load.mjs');
  await writeFile(loader, 'export const load = (library) => import(library);\n');
  return {
    versionOf: async (library) =>
      JSON.parse(await readFile(path.join(folder, 'node_modules', library, 'package.json'), 'utf8')).version,
    load: async (library) => (await import(pathToFileURL(loader).href)).load(library),
  };
};
