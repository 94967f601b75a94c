import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../support/run-command.ts';

/** Where this repository is. */
export const repository: string = path.join(import.meta.dirname, '../../..');

/** A new folder for packages and projects of other people. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'gw-package-'));

const npm = async (args: readonly string[], cwd: string): Promise<string> => {
  const { status, stdout, stderr } = await runCommand(['npm', ...args], { cwd });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
};

/** Packs the package of a folder as `npm publish` would; gives the path of the tarball. */
export const pack = async (folder: string, into: string): Promise<string> => {
  const printed = await npm(['pack', '--silent', '--pack-destination', into], folder);
  return path.join(into, printed.trim());
};

/** Packs this repository, which must have been built. */
export const packGatewright = async (into: string): Promise<string> => {
  if (!existsSync(path.join(repository, 'dist/gw.js'))) throw new Error('There is no dist folder. Run: npm run build');
  return pack(repository, into);
};

/** A new package as `npm init -y` makes it, with these tarballs installed; gives its folder. */
export const initialise = async (tarballs: readonly string[]): Promise<string> => {
  const folder = newFolder();
  await npm(['init', '-y'], folder);
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], folder);
  return folder;
};

/** A new project with these tarballs installed; gives its folder. */
export const install = async (tarballs: readonly string[], flags: readonly string[] = []): Promise<string> => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "acme-project", "private": true, "type": "module" }');
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...flags, ...tarballs], folder);
  return folder;
};
