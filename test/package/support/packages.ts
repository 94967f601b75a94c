import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandResult, runCommand } from '../../support/commands/run-command.ts';

/** The root folder of this repository. */
export const repository: string = path.join(import.meta.dirname, '../../..');

/** Creates a folder for packages and projects of other people, with this manifest. */
export const newFolder = (manifest?: object): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-package-'));
  if (manifest !== undefined) writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
};

/** Runs npm in a folder. */
export const npmRun = (cwd: string, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand(['npm', ...args], { cwd });

const npm = async (args: readonly string[], cwd: string): Promise<string> => {
  const { status, stdout, stderr } = await npmRun(cwd, ...args);
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
};

/** Packs the package in a folder as `npm publish` would. Returns the path of the tarball. */
export const pack = async (folder: string, into: string): Promise<string> => {
  const printed = await npm(['pack', '--silent', '--pack-destination', into], folder);
  return path.join(into, printed.trim());
};

/** Packs this repository, which must have been built. */
export const packGatewright = async (into: string): Promise<string> => {
  if (!existsSync(path.join(repository, 'dist/gw.js'))) throw new Error('There is no dist folder. Run: npm run build');
  return pack(repository, into);
};

/** Installs the packages in a folder's manifest and in these arguments. */
export const installIn = async (folder: string, args: readonly string[] = []): Promise<void> => {
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...args], folder);
};

/** Creates a package as `npm init -y` does, with these tarballs installed. Returns its folder. */
export const initialise = async (tarballs: readonly string[]): Promise<string> => {
  const folder = newFolder();
  await npm(['init', '-y'], folder);
  await installIn(folder, tarballs);
  return folder;
};

/** Creates a project with these tarballs installed. Returns its folder. */
export const install = async (tarballs: readonly string[], flags: readonly string[] = []): Promise<string> => {
  const folder = newFolder({ name: 'acme-project', private: true, type: 'module' });
  await installIn(folder, [...flags, ...tarballs]);
  return folder;
};
