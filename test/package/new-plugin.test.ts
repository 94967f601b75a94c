import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { GatewayProcess } from '../support/gateway-process.ts';
import { runCommand } from '../support/run-command.ts';
import { install, pack } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';
import { servePacked } from './support/serve-packed.ts';

let author: string;
let operator: string;
beforeAll(async () => {
  author = await install([inject('tarball')], ['--omit=optional']);
});
afterAll(() => {
  for (const folder of [author, operator]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const npm = (folder: string, ...args: readonly string[]) => runCommand(['npm', ...args], { cwd: folder });

/** What `gw plugin new` made, with this package in the place of the published one. */
const made = async (name: string, kind: string): Promise<string> => {
  expect(await runGw(author, 'plugin', 'new', name, '--kind', kind)).toMatchObject({ status: 0 });
  const folder = path.join(author, name.slice(name.indexOf('/') + 1));
  await npm(folder, 'pkg', 'set', `devDependencies.gatewright=file:${inject('tarball')}`);
  expect(await npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund')).toMatchObject({ status: 0 });
  return folder;
};

describe('a plugin that gw plugin new makes', () => {
  it.each(['provider', 'dialect', 'cache', 'policy', 'logger'])(
    'of the kind %s builds, passes its tests, packs, and has no faults',
    async (kind) => {
      const folder = await made(`@team/gatewright-plugin-acme-${kind}`, kind);
      const tested = await npm(folder, 'test');
      expect(tested.stdout).toMatch(/(ℹ|#) pass 1\n/);
      expect(tested.status).toBe(0);
      const tarball = await pack(folder, author);
      const verified = await runGw(author, 'plugin', 'verify', tarball);
      expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining('0 faults in 1 plugin.') });
    },
    120_000,
  );

  it('is not made over anything, nor with a name that no package can have', async () => {
    mkdirSync(path.join(author, 'taken'));
    expect(await runGw(author, 'plugin', 'new', 'taken', '--kind', 'logger')).toMatchObject({
      status: 2,
      stderr: 'gw: There is something at taken already. Name another folder: --out DIR.\n',
    });
    for (const name of ['Acme', '../acme', '.hidden', 'node_modules', 'a b'])
      expect(await runGw(author, 'plugin', 'new', name, '--kind', 'logger')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`"${name}" cannot be the name of a package.`),
      });
    expect(await runGw(author, 'plugin', 'new', 'gatewright-plugin-openai', '--kind', 'provider')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the gateway has one of this name'),
    });
  });
});

describe('a guardrail, from an empty folder to a gateway at work', () => {
  let gateway: GatewayProcess | undefined;
  afterAll(() => gateway?.stop());

  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(operator, file)), { recursive: true });
    writeFileSync(path.join(operator, file), text);
  };

  const config = (parameters: string): string => `{
  "provider": "echo",
  "input_guardrails": [
    { "acme.mostWords": ${parameters}, "deny": true }
  ]
}
`;

  it('is made, tested, packed, and installed elsewhere', { timeout: 120_000 }, async () => {
    const folder = await made('gatewright-plugin-acme', 'guardrail');
    expect(await npm(folder, 'test')).toMatchObject({ status: 0 });
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

  it('is listed, and verified', async () => {
    const list = await runGw(operator, 'plugin', 'list', '--format', 'json');
    expect(JSON.parse(list.stdout)).toMatchObject({
      plugins: [
        {
          name: 'gatewright-plugin-acme',
          version: '0.1.0',
          sdk: '^1.0.0',
          isolated: true,
          provides: { checks: ['acme.mostWords'] },
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
    expect(`${stdout}${stderr}`).toContain('configs/prod.json:4:27');
    write('configs/prod.json', config('{ "limit": 3 }'));
    expect(await runGw(operator, 'check', 'configs')).toMatchObject({ status: 0 });
  });

  it('is at work for an official client, and is updated without a restart', { timeout: 60_000 }, async () => {
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
    await expect.poll(() => ask('These are now too many words'), { timeout: 20_000 }).toBe(200);
    expect(await ask('These are now seven words of text')).toBe(446);
    expect(gateway.printed()).toContain('The plugin "gatewright-plugin-acme" was loaded again.');
  });
});
