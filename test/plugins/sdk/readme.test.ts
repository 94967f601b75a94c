import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import { checkSaved } from '../../../compiler/gateway-file-checks/check-saved.ts';
import { createGateway } from '../../../index.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { loadPlugins } from '../../../plugins/host/load.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { createOperatorFolder, type OperatorFolder } from '../../support/gateways/operator-folder.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { readFences } from '../../support/readme/read-fences.ts';

const run = promisify(execFile);
const markdown = readFileSync(new URL('../../../plugins/sdk/README.md', import.meta.url), 'utf8');
const files = new Map(
  readFences(markdown).flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const])),
);

let folder: OperatorFolder;

beforeAll(() => {
  folder = createOperatorFolder();
  folder.write('package.json', '{ "type": "module" }');
  for (const [file, text] of files) folder.write(file, text);
});
afterAll(() => folder[Symbol.dispose]());

describe('the provider of the README', () => {
  it('passes its test', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: folder.path,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    expect(stdout).toContain('# pass 1');
    expect(stdout).toContain('# fail 0');
  });

  it('can be saved by its gateway file', async () => {
    const { saved, settings, diagnostics } = readGatewayFile(files.get('gateway.json') ?? '', 'gateway.json');
    expect(diagnostics).toEqual([]);
    const entries = (settings.plugins ?? []).map((entry, at) => ({ ...entry, pointer: toPointer(['plugins', at]) }));
    const { plugins, problems } = await loadPlugins(entries, folder.path);
    expect(problems).toEqual([]);
    expect(checkSaved(saved, buildCatalogue([...builtinPlugins, ...plugins]))).toEqual([]);
  });
});

describe('the endpoints of the README', () => {
  it('are served as the README describes', async () => {
    const entries = [{ package: './tickets.js', pointer: toPointer(['plugins', 0]) }];
    const { plugins, problems } = await loadPlugins(entries, folder.path);
    expect(problems).toEqual([]);
    const gateway = createGateway({ plan: compileConfig('{ "provider": "echo" }'), plugins });
    const post = (path: string, body?: string) =>
      gateway.fetch(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: { host: 'localhost', 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body }),
        }),
      );
    const made = await post('/v1/tickets', '{"text":"It is broken."}');
    expect([made.status, await made.json()]).toEqual([201, { id: 't-1', text: 'It is broken.' }]);
    const answered = await post('/v1/tickets/t-1/answer');
    expect(await answered.json()).toMatchObject({ choices: [{ message: { content: 'It is broken.' } }] });
    expect((await post('/v1/tickets/t-2/answer')).status).toBe(404);
    await gateway.close();
  });
});
