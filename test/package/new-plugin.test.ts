import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlugin } from './support/make-plugin.ts';
import { installIn, newFolder, npmRun, pack } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';

const kinds = ['provider', 'dialect', 'guardrail', 'cache', 'policy', 'logger', 'sink'] as const;

/** An npm workspace, which installs the dependencies of all plugins in it at once. */
let workspace: string;
const toFolder = (kind: string): string => path.join(workspace, `gatewright-plugin-acme-${kind}`);

beforeAll(async () => {
  workspace = newFolder({ name: 'acme-plugins', private: true, workspaces: ['gatewright-plugin-*'] });
  await Promise.all(
    kinds.map((kind) => makePlugin(`@team/gatewright-plugin-acme-${kind}`, { kind, within: workspace })),
  );
  await installIn(workspace);
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe('a plugin that gw plugin new creates', () => {
  it('needs the same packages, whatever its kind', () => {
    const needed = kinds.map((kind) => {
      const manifest = JSON.parse(readFileSync(path.join(toFolder(kind), 'package.json'), 'utf8'));
      const { dependencies, peerDependencies, devDependencies } = manifest;
      return { dependencies, peerDependencies, devDependencies };
    });
    expect(Object.keys(needed[0]?.devDependencies)).toContain('typescript');
    expect(needed).toEqual(kinds.map(() => needed[0]));
  });

  it.concurrent.each(kinds)('of the kind %s builds, passes its tests, packs, and has no faults', async (kind) => {
    const folder = toFolder(kind);
    const tested = await npmRun(folder, 'test');
    expect(tested.stdout).toMatch(/(ℹ|#) pass 1\n/);
    expect(tested.status).toBe(0);
    const tarball = await pack(folder, workspace);
    const verified = await runGw(workspace, 'plugin', 'verify', tarball);
    expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining('0 faults in 1 plugin.') });
  });

  it('is not created in an existing folder, or with an invalid or built-in name', async () => {
    mkdirSync(path.join(workspace, 'taken'));
    expect(await runGw(workspace, 'plugin', 'new', 'taken', '--kind', 'logger')).toMatchObject({
      status: 2,
      stderr: 'gw: taken already exists. Name another folder: --out DIR.\n',
    });
    for (const name of ['Acme', '../acme', '.hidden', 'node_modules', 'a b'])
      expect(await runGw(workspace, 'plugin', 'new', name, '--kind', 'logger')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`"${name}" cannot be the name of a package.`),
      });
    expect(await runGw(workspace, 'plugin', 'new', 'gatewright-plugin-openai', '--kind', 'provider')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the gateway has one of this name'),
    });
  });
});
