import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { bundledPackages } from '../../tools/build/build-package.ts';
import { editorPackages } from '../../tools/build/package-modules.ts';
import { runCommand } from '../support/commands/run-command.ts';
import { newFolder, pack, repository } from './support/packages.ts';

const copied: readonly string[] = [...bundledPackages, ...editorPackages];
const made = ['.git', 'node_modules', 'dist', 'reports', 'coverage', 'sbom.cdx.json', 'THIRD_PARTY_LICENSES.txt'];

/**
 * Links the packages of this checkout. Those that are bundled into the code are copied, because the bundle would contain their
 * paths.
 */
const linkPackages = (into: string, from: string): void => {
  mkdirSync(into);
  for (const name of readdirSync(from)) {
    if (name === '.cache') continue;
    if (copied.includes(name)) cpSync(path.join(from, name), path.join(into, name), { recursive: true });
    else symlinkSync(path.join(from, name), path.join(into, name));
  }
};

it('the tarball has the same bytes if it is built in another folder, at another time', async () => {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const copy = path.join(folder, 'another/place/for/it');
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(repository).filter((each) => !made.includes(each)))
    cpSync(path.join(repository, name), path.join(copy, name), { recursive: true });
  linkPackages(path.join(copy, 'node_modules'), path.join(repository, 'node_modules'));
  utimesSync(path.join(copy, 'package.json'), 1e9, 1e9);
  const { status, stderr } = await runCommand(['npm', 'run', '--silent', 'build'], { cwd: copy });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const again = await pack(copy, folder);
  expect(readFileSync(again).equals(readFileSync(inject('tarball'))), 'Run: npm run build').toBe(true);
});
