import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorFolder, type OperatorFolder } from '../../../support/gateways/operator-folder.ts';

const run = promisify(execFile);
const loader = new URL('../../../../plugins/host/load.ts', import.meta.url).href;

let folder: OperatorFolder;

beforeAll(() => {
  folder = createOperatorFolder();
  folder.install('third-party-plugin', 'gatewright-plugin-acme');
  folder.install('dialect-plugin', 'gatewright-plugin-talk');
});
afterAll(() => folder[Symbol.dispose]());

/** Loads packages in a separate Node process, without a test runner's loader, and returns the result. */
const loadInNode = async (...packages: readonly string[]) => {
  const entries = packages.map((name, at) => ({ package: name, pointer: `/plugins/${at}` }));
  const script = `
    const { loadPlugins } = await import(${JSON.stringify(loader)});
    console.log(JSON.stringify(await loadPlugins(${JSON.stringify(entries)}, process.cwd())));`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder.path });
  return { ...JSON.parse(stdout), stderr };
};

describe('a third-party plugin', () => {
  it('is loaded by plain Node without any output', async () => {
    folder.write('node_modules/in-typescript/package.json', '{ "type": "module", "exports": "./index.ts" }');
    folder.write('node_modules/in-typescript/index.ts', `const name: string = 't';\nexport default { name, api: 1 };`);
    const { plugins, problems, stderr } = await loadInNode('gatewright-plugin-acme', 'in-typescript');
    expect(stderr).toBe('');
    expect(plugins).toMatchObject([{ name: 'gatewright-plugin-acme' }]);
    expect(problems).toMatchObject([
      {
        code: 'plugin-failed',
        pointer: '/plugins/1/package',
        hint: 'A package must ship JavaScript, because Node runs TypeScript only outside node_modules.',
      },
    ]);
  });

  it.each(['gatewright-plugin-acme', 'gatewright-plugin-talk'])(
    'passes its own tests, which use the testkit: %s',
    async (name) => {
      const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
        cwd: `${folder.path}/node_modules/${name}`,
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      });
      expect(stdout).toContain('# pass 2');
      expect(stdout).toContain('# fail 0');
    },
  );
});
