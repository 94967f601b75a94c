import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../support/commands/clean-environment.ts';
import { runCommand } from '../support/commands/run-command.ts';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { makePlugin } from './support/make-plugin.ts';
import { install, installIn, newFolder, npmRun, pack } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';
import { servePacked } from './support/serve-packed.ts';

let author: string;
let operator: string;
afterAll(() => {
  for (const folder of [author, operator]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe('a guardrail that is developed from an empty folder', () => {
  let gateway: GatewayProcess | undefined;
  afterAll(() => gateway?.stop());

  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(operator, file)), { recursive: true });
    writeFileSync(path.join(operator, file), text);
  };

  const config = (parameters: string): string => `{
  "provider": "echo",
  "input_guardrails": [
    { "acme.maxWords": ${parameters}, "deny": true }
  ]
}
`;

  it('is created, tested, packed, and installed in another folder', async () => {
    author = newFolder();
    const folder = await makePlugin('gatewright-plugin-acme', { kind: 'guardrail', within: author });
    await installIn(folder);
    expect(await npmRun(folder, 'test')).toMatchObject({ status: 0 });
    operator = await install([inject('tarball'), await pack(folder, author)], ['--omit=optional']);
    write(
      'gateway.json',
      JSON.stringify({
        configs: 'configs',
        default_config: 'prod',
        plugins: [{ package: 'gatewright-plugin-acme', isolate: true }],
      }),
    );
    write('configs/prod.json', config('{ "limit": 3 }'));
  });

  it('is listed and verified by gw plugin', async () => {
    const list = await runGw(operator, 'plugin', 'list', '--format', 'json');
    expect(JSON.parse(list.stdout)).toMatchObject({
      plugins: [
        {
          name: 'gatewright-plugin-acme',
          version: '0.1.0',
          sdk: '^1.0.0',
          isolated: true,
          provides: { checks: ['acme.maxWords'] },
          permissions: { hosts: [], environment: [], hooks: [] },
          integrity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        },
      ],
    });
    expect(await runGw(operator, 'plugin', 'verify')).toMatchObject({ status: 0 });
  });

  it('has a misspelt parameter reported with line and column', async () => {
    write('configs/prod.json', config('{ "limt": 3 }'));
    const { status, stdout, stderr } = await runGw(operator, 'check', 'configs');
    expect(status).toBe(1);
    expect(`${stdout}${stderr}`).toContain('configs/prod.json:4:26');
    write('configs/prod.json', config('{ "limit": 3 }'));
    expect(await runGw(operator, 'check', 'configs')).toMatchObject({ status: 0 });
  });

  it('checks the requests of an official client, and is reloaded without a restart', async () => {
    gateway = await servePacked(operator);
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', maxRetries: 0 });
    const ask = (content: string): Promise<number> =>
      client.chat.completions
        .create({ model: 'any', messages: [{ role: 'user', content }] })
        .then(() => 200)
        .catch((error: { readonly status: number }) => error.status);

    expect(await ask('Only three words')).toBe(200);
    expect(await ask('These are now too many words')).toBe(446);

    const module = path.join(operator, 'node_modules/gatewright-plugin-acme/dist/guardrail.js');
    writeFileSync(module, readFileSync(module, 'utf8').replace('words <= limit', 'words <= 2 * limit'));
    await expect.poll(() => ask('These are now too many words')).toBe(200);
    expect(await ask('These are now seven words of text')).toBe(446);
    expect(gateway.printed()).toContain('The plugin "gatewright-plugin-acme" was reloaded.');
  });

  it.each([inject('oldestNode'), inject('newestNode')])('is verified and run with Node $version', async (node) => {
    const PATH = [node.folder, cleanEnvironment().PATH].join(path.delimiter);
    const verify = [path.join('node_modules', '.bin', 'gw'), 'plugin', 'verify'] as const;
    const env = { ...cleanEnvironment(), PATH };
    expect(await runCommand(verify, { cwd: operator, env })).toMatchObject({ status: 0 });
    const other = await servePacked(operator, { env: { PATH } });
    onTestFinished(() => other.stop());
    const sent = await fetch(`${other.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'any',
        messages: [{ role: 'user', content: 'These are now seven words of text' }],
      }),
    });
    expect(sent.status).toBe(446);
  });
});
