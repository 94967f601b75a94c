import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { install, newFolder, pack, repository } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';
import { servePacked } from './support/serve-packed.ts';

const limitedTo = (parameters: string): string => `{
  "provider": "acme-loud",
  "input_guardrails": [
    { "acme.maxWords": ${parameters}, "deny": true }
  ]
}
`;

let packed: string;
let project: string;

const write = (file: string, text: string): void => writeFileSync(path.join(project, file), text);

const gatewayFile = (plugin: string): void =>
  write(
    'gateway.json',
    JSON.stringify({
      configs: 'configs',
      default_config: 'prod',
      plugins: [{ package: plugin, options: { signature: 'the platform team' } }],
    }),
  );

beforeAll(async () => {
  packed = newFolder();
  const plugin = await pack(path.join(repository, 'test/fixtures/third-party-plugin'), packed);
  project = await install([inject('tarball'), plugin], ['--omit=optional']);
  mkdirSync(path.join(project, 'configs'));
  const installed = path.join(project, 'node_modules/gatewright-plugin-acme');
  cpSync(installed, path.join(project, 'own-plugin'), { recursive: true });
});
afterAll(() => {
  for (const folder of [packed, project]) rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['by the name of its package', 'gatewright-plugin-acme'],
  ['by the path of a folder', './own-plugin'],
  ['by the path of a file', './own-plugin/plugin.js'],
])('a third-party plugin, installed from its tarball and specified %s', (_, plugin) => {
  let gateway: GatewayProcess | undefined;
  afterAll(() => gateway?.stop());

  it('has a misspelt parameter reported with line and column', async () => {
    gatewayFile(plugin);
    write('configs/prod.json', limitedTo('{ "limt": 3 }'));
    const { status, stdout } = await runGw(project, 'check', 'configs', '--format', 'json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        {
          file: 'configs/prod.json',
          diagnostics: expect.arrayContaining([
            expect.objectContaining({
              severity: 'error',
              hint: expect.stringContaining('"limit"'),
              span: expect.objectContaining({ line: 4, column: 26 }),
            }),
          ]),
        },
      ],
    });
    const forPeople = await runGw(project, 'check', 'configs');
    expect(`${forPeople.stdout}${forPeople.stderr}`).toContain('configs/prod.json:4:26');
  });

  it('passes gw check if its parameter is spelt correctly', async () => {
    write('configs/prod.json', limitedTo('{ "limit": 3 }'));
    expect(await runGw(project, 'check', 'configs')).toMatchObject({ status: 0 });
  });

  it('applies its provider, guardrail and response header to the requests of an official client', async () => {
    gateway = await servePacked(project);
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', maxRetries: 0 });
    const ask = (content: string) =>
      client.chat.completions.create({ model: 'any', messages: [{ role: 'user', content }] });

    const { data, response } = await ask('Only three words').withResponse();
    expect(data).toMatchObject({
      choices: [{ message: { content: 'ONLY THREE WORDS' } }],
      hook_results: {
        before_request_hooks: [{ verdict: true, checks: [{ id: 'acme.maxWords', verdict: true }] }],
      },
    });
    expect(response.headers.get('x-signed-by')).toBe('the platform team');

    await expect(ask('These are now too many words')).rejects.toMatchObject({
      status: 446,
      error: { type: 'hooks_failed' },
    });
    const denied = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'These are now too many words' }] }),
    });
    expect(denied.status).toBe(446);
    expect(await denied.json()).toMatchObject({
      hook_results: {
        before_request_hooks: [{ verdict: false, checks: [{ id: 'acme.maxWords', verdict: false }] }],
      },
    });
  });

  it('streams the answer of its provider', async () => {
    const client = new OpenAI({ baseURL: gateway?.baseUrl, apiKey: 'unused', maxRetries: 0 });
    const stream = await client.chat.completions.create({
      model: 'any',
      messages: [{ role: 'user', content: 'Only three words' }],
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('ONLY THREE WORDS');
  });
});
