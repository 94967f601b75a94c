import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import { describe, expect, inject, it } from 'vitest';
import { bundledPackages } from '../../tools/build/build-package.ts';
import { lateModules, publicModules, startedModules } from '../../tools/build/package-modules.ts';
import { repository } from './support/packages.ts';

const installed = path.join(inject('project'), 'node_modules/gatewright');

/** Every file of the package, relative to its folder, with `/` as the separator. */
const packed: readonly string[] = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
  .sort();

const sizeOf = (file: string): number => statSync(path.join(installed, file)).size;

const isOfConsole = (file: string): boolean =>
  /^console\/(?:index\.html|\.vite\/manifest\.json|assets\/[\w.-]+)$/.test(file);

const isFolderReadme = (file: string): boolean => file.endsWith('/README.md');

const isExample = (file: string): boolean => /^schema\/examples\/[a-z-]+\.jsonc?$/.test(file);

describe('the tarball', () => {
  it('contains only these files besides examples, READMEs of folders, documentation, dist and deploy', () => {
    const isOther = (file: string): boolean =>
      !/^(?:deploy|dist|docs\/(?:decisions|how-it-works|recipes|reference|start))\//.test(file);
    expect(packed.filter((file) => isOther(file) && !isExample(file) && !isFolderReadme(file))).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'GLOSSARY.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'THIRD_PARTY_LICENSES.txt',
      'docs/index.md',
      'gw.js',
      'package.json',
      'sbom.cdx.json',
      'schema/config.schema.json',
      'schema/gateway.schema.json',
      'schema/route-test.schema.json',
      'test/COUNTS.md',
      'test/FAULTS.md',
      'test/GUARDRAILS.md',
      'test/MATRIX.md',
      'test/OPERATIONS.md',
      'test/PROVIDERS.md',
    ]);
    expect(packed.filter(isExample).length).toBeGreaterThan(0);
  });

  it('contains the files for deployments, and none of the files that generate them', () => {
    const places = packed.filter((file) => file.startsWith('deploy/')).map((file) => file.split('/').slice(1));
    const folders = new Set(places.map(([first = '', ...rest]) => (rest.length === 0 ? '.' : first)));
    expect([...folders].sort()).toEqual(['.', 'grafana', 'helm', 'kubernetes', 'prometheus', 'systemd']);
    expect(places.filter((parts) => /\.[jt]s$|Dockerfile/.test(parts.join('/')) || parts[1] === 'values')).toEqual([]);
  });

  it('contains public and started modules at their paths, chunks, types, and licences of bundled packages', () => {
    const built = packed.filter((file) => file.startsWith('dist/')).map((file) => file.slice('dist/'.length));
    const chunks = built.filter((file) => file.startsWith('chunks/'));
    const modules = built.filter((file) => file.endsWith('.js') && !/^(?:chunks|console)\//.test(file));
    const own = ['plugins/sdk/loading/own-module', 'plugins/sdk/loading/own-module-of-threads'];
    const places = [...own, ...publicModules, ...startedModules, ...lateModules].map((module) => `${module}.js`);
    expect(modules).toEqual(places.sort());
    expect(chunks.filter((file) => !/-[\w-]+\.js$/.test(file))).toEqual(
      bundledPackages.map((name) => `chunks/${name}.LICENSE`),
    );
    const types = built.filter((file) => file.endsWith('.d.ts')).map((file) => file.slice(0, -'.d.ts'.length));
    expect(types).toEqual(expect.arrayContaining([...publicModules]));
    expect(types.filter((module) => !existsSync(path.join(repository, `${module}.ts`)))).toEqual([]);
    const files = built.filter((file) => file.startsWith('console/'));
    expect(files.filter((file) => !isOfConsole(file))).toEqual([]);
    expect(built.length).toBe(chunks.length + modules.length + types.length + files.length);
  });

  it('contains the console, compressed with gzip and Brotli, in less than 1.5 MB', () => {
    const files = packed.filter((file) => file.startsWith('dist/console/'));
    expect(files).toContain('dist/console/index.html');
    expect(files.filter((file) => /\.(?:js|css)$/.test(file) && sizeOf(file) >= 1024)).toEqual([]);
    const packedOnce = files.filter((file) => file.endsWith('.gz')).map((file) => file.slice(0, -'.gz'.length));
    expect(packedOnce.length).toBeGreaterThan(5);
    expect(packedOnce.filter((file) => !files.includes(`${file}.br`))).toEqual([]);
    expect(files.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThan(1.5 * 1024 * 1024);
  });

  it('passes publint in strict mode', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });
});
