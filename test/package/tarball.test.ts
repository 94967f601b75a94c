import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import { describe, expect, inject, it } from 'vitest';
import { repository } from './support/packages.ts';

const installed = path.join(inject('project'), 'node_modules/gatewright');

/** Every file of the package, from its folder, with `/`. */
const packed: readonly string[] = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
  .sort();

const isFolderReadme = (file: string): boolean => file.endsWith('/README.md');

const isExample = (file: string): boolean => /^schema\/examples\/[a-z-]+\.jsonc?$/.test(file);

describe('the tarball', () => {
  it('has these files beside the examples, the READMEs of folders and what is built', () => {
    expect(packed.filter((file) => !file.startsWith('dist/') && !isExample(file) && !isFolderReadme(file))).toEqual([
      'LICENSE',
      'README.md',
      'gw.js',
      'package.json',
      'schema/config.schema.json',
      'schema/gateway.schema.json',
      'test/GUARDRAILS.md',
      'test/MATRIX.md',
    ]);
    expect(packed.filter(isExample).length).toBeGreaterThan(0);
  });

  it('has of each source that is reached the code and its types, and nothing of the tests', () => {
    const built = packed.filter((file) => file.startsWith('dist/')).map((file) => file.slice('dist/'.length));
    const modules = built.filter((file) => file.endsWith('.js')).map((file) => file.slice(0, -'.js'.length));
    expect(modules.length).toBeGreaterThan(100);
    expect(built).toEqual(modules.flatMap((module) => [`${module}.d.ts`, `${module}.js`]).sort());
    expect(modules.filter((module) => !existsSync(path.join(repository, `${module}.ts`)))).toEqual([]);
    const tops = new Set(modules.map((module) => module.split('/')[0]));
    expect([...tops].sort()).toEqual(['compiler', 'gw', 'index', 'plugins', 'runtime', 'schema', 'testing']);
  });

  it('is what publint expects of a package', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });
});
