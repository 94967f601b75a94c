import { existsSync, globSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { install } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';

let folder: string;
beforeAll(async () => {
  folder = await install([inject('tarball')], ['--omit=optional']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The manifests of all installed packages, at any depth. */
const manifests = (): readonly string[] =>
  globSync(['node_modules/**/node_modules/{*,@*/*}/package.json', 'node_modules/{*,@*/*}/package.json'], {
    cwd: folder,
  });

const read = (file: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

/** The size of the console is limited in the test of the tarball, to 1.5 MB. The documentation is text. */
const isForReaders = (parent: string): boolean =>
  ['dist/console', 'docs'].some((part) => `${parent}/`.includes(`/gatewright/${part}/`));

/** The total size without the console and the documentation. */
const megabytes = (): number =>
  readdirSync(path.join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter(({ parentPath }) => !isForReaders(parentPath))
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(path.join(parentPath, name)).size, 0) / 1e6;

describe('a production install without optional dependencies', () => {
  it('has at most 25 packages besides this one, and 25 MB without its console and documentation', () => {
    const others = manifests().filter((file) => file !== path.join('node_modules', 'gatewright', 'package.json'));
    expect(others.length).toBeGreaterThan(5);
    expect(others.length).toBeLessThanOrEqual(25);
    expect(megabytes()).toBeGreaterThan(1);
    expect(megabytes()).toBeLessThanOrEqual(25);
  });

  it('runs no install scripts', () => {
    const scripted = manifests().filter((file) => {
      const { scripts = {} } = read(file) as { readonly scripts?: object };
      const builds = existsSync(path.join(folder, path.dirname(file), 'binding.gyp'));
      return builds || ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
    });
    expect(scripted).toEqual([]);
  });

  it('compiles plans, and explains in one sentence what typed modules need', async () => {
    const config = 'node_modules/gatewright/schema/examples/echo.json';
    const refused = await runGw(folder, 'compile', config, '--out', 'plans');
    expect(refused).toMatchObject({
      status: 2,
      stderr:
        'gw: Writing TypeScript needs the package ts-morph, which is not installed here. ' +
        'Install it (npm install --save-dev ts-morph@28), or leave the typed modules out (gw compile --no-types).\n',
    });
    expect(existsSync(path.join(folder, 'plans'))).toBe(false);

    const plain = await runGw(folder, 'compile', config, '--out', 'plans', '--no-types');
    expect(plain).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(path.join(folder, 'plans'))).toEqual(['echo.plan.json']);
  });
});
