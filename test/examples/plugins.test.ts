import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/commands/run-command.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../support/gateways/gateway-process.ts';
import { installedFolder } from '../support/gateways/installed-gateway.ts';
import { createOperatorFolder, type OperatorFolder } from '../support/gateways/operator-folder.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import { openaiAnswer } from '../support/vendors/openai-wire.ts';

const examples = path.join(import.meta.dirname, '../../examples/plugins');
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

let folder: OperatorFolder;
beforeAll(() => {
  folder = createOperatorFolder({ gatewright: installedFolder });
  for (const name of names)
    cpSync(path.join(examples, name), path.join(folder.path, 'node_modules', `gatewright-plugin-${name}`), {
      recursive: true,
    });
});
afterAll(() => folder[Symbol.dispose]());

it.each(names)('%s passes its own tests', async (name) => {
  const cwd = path.join(folder.path, 'node_modules', `gatewright-plugin-${name}`);
  const { status, stdout } = await runCommand([process.execPath, '--test', 'plugin.test.js'], { cwd });
  expect(stdout).toMatch(/fail 0\n/);
  expect(status).toBe(0);
});

describe('a gateway with all example plugins', () => {
  let gateway: GatewayProcess;
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
    writeFolder(
      {
        'gateway.json': {
          plugins: [
            { package: 'gatewright-plugin-file-logger', options: { file: path.join(folder.path, 'requests.log') } },
            { package: 'gatewright-plugin-latency-router' },
            { package: 'gatewright-plugin-organisation-check', options: { patterns: ['(?i)project falcon'] } },
          ],
        },
      },
      folder.path,
    );
    gateway = await startGateway({ folder: folder.path, args: ['--config', 'gateway.json'] });
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  const ask = async (content: string): Promise<number> => {
    const target = { provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1` };
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gw-config': JSON.stringify({
          strategy: { mode: 'loadbalance', balance: 'latency-router' },
          targets: [target, target],
        }),
      },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  it('logs served and refused requests', async () => {
    expect(await ask('What is a falcon?')).toBe(200);
    expect(await ask('What is Project Falcon?')).toBe(446);
    const lines = (): readonly Record<string, unknown>[] =>
      readFileSync(path.join(folder.path, 'requests.log'), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    await expect.poll(lines).toMatchObject([
      { path: '/chat/completions', status: 200, provider: 'openai', attempts: [{ status: 200 }] },
      { path: '/chat/completions', status: 446, attempts: [] },
    ]);
  });
});
