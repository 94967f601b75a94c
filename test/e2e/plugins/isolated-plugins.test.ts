import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const plugin = (word: string, parameter = 'how'): string => `
import fs from 'node:fs';
const acts = {
  fine: () => ({ pass: true, data: { word: '${word}' } }),
  loop: () => { for (;;); },
  nests: () => ({ pass: true, data: JSON.parse('['.repeat(3700) + ']'.repeat(3700)) }),
  writes: () => {
    const deep = '['.repeat(1e5) + ']'.repeat(1e5);
    for (let id = 1; id < 10; id += 1) fs.writeSync(3, '{"kind":"verdict","id":' + id + ',"verdict":' + deep + '}\\n');
  },
  buffers: () => { const kept = []; for (;;) kept.push(Buffer.alloc(4 << 20, 1)); },
  waiting: async ({ cancellation }, { http }, url) => {
    // As long as the check itself may take: a busy machine starts another process of the plugin meanwhile.
    await http.send({ method: 'GET', url, timeoutMs: 30_000, cancellation });
    return { pass: true, data: { word: '${word}' } };
  },
};
export default {
  name: 'acme', api: 1, permissions: { hosts: ['127.0.0.1'] },
  guardrails: [{
    id: 'acme.act',
    parameters: {
      type: 'object',
      required: ['${parameter}'],
      properties: { ${parameter}: { type: 'string' }, url: { type: 'string' } },
    },
    requestValues: { ${parameter}: ['loop'] },
    faults: ({ ${parameter}: how }) => (how in acts ? [] : ['There is no act "' + how + '".']),
    create: ({ ${parameter}: how, url }, services) => (input) => acts[how](input, services, url),
  }],
};`;

const config = (how: string, more: object = {}): object => ({
  provider: 'echo',
  input_guardrails: [{ 'acme.act': { how, ...more }, deny: true }],
});

const files = (more: object = {}) => ({
  'package.json': { type: 'module' },
  'acme.js': plugin('first'),
  'gateway.json': { configs: 'configs', default_config: 'fine', plugins: [{ package: './acme.js', isolate: true }] },
  'configs/fine.json': config('fine'),
  ...more,
});

let gateway: GatewayProcess;

interface Answered {
  readonly status: number;
  readonly checks: readonly Record<string, unknown>[];
}

const ask = async (name: string): Promise<Answered> => {
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': name },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
  });
  const body = JSON.parse(await answer.text());
  return { status: answer.status, checks: body.hook_results?.before_request_hooks?.[0]?.checks ?? [] };
};

const readRestart = async (): Promise<unknown> => {
  const answer = await fetch(`${gateway.origin}/readyz`);
  return (JSON.parse(await answer.text()) as { restart?: unknown }).restart;
};

/** One process, and several that share the processes of the plugin. */
const ways: readonly (readonly [way: string, args: readonly string[]])[] = [
  ['one process', []],
  ['two workers', ['--workers', '2']],
];

describe.each(ways)('a gateway of %s with an isolated plugin', (_, args) => {
  beforeAll(async () => {
    gateway = await startGateway({
      args,
      files: files({
        'configs/nests.json': config('nests'),
        'configs/writes.json': config('writes', { failOnError: true }),
        'configs/loop.json': config('loop', { timeout: 200, failOnError: true }),
        'configs/buffers.json': config('buffers', { timeout: 4000, failOnError: true }),
        'configs/other.json': {
          provider: 'echo',
          input_guardrails: [{ 'default.contains': { operator: 'any', words: ['x'] } }],
        },
      }),
    });
  });
  afterAll(() => gateway.stop());

  it.each([
    ['loop', /did not answer within 200 ms/],
    ['buffers', /MiB of memory|did not answer within/],
  ])('serves all other requests while a check misbehaves: %s', async (how, why) => {
    const before = gateway.printed().length;
    expect(await ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'first' } }] });
    const bad = ask(how);
    for (let request = 0; request < 20; request += 1) expect((await ask('other')).status).toBeLessThan(300);
    expect(await bad).toMatchObject({ status: 446, checks: [{ error: { message: expect.stringMatching(why) } }] });
    await expect.poll(() => gateway.printed().slice(before)).toContain('while its check "acme.act" ran');
    await expect.poll(() => ask('fine')).toMatchObject({ checks: [{ data: { word: 'first' } }] });
  });

  it('is not harmed by verdicts that nest too deeply', async () => {
    expect(await ask('nests')).toMatchObject({ status: 200, checks: [{ verdict: true, data: null }] });
    expect(await ask('writes')).toMatchObject({ status: 446, checks: [{ error: {} }] });
    await expect.poll(() => ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'first' } }] });
  });
});

describe.each(ways)('a gateway of %s with an isolated plugin that changes', (_, args) => {
  let service: TestUpstream;
  beforeAll(async () => {
    service = await startUpstream();
    gateway = await startGateway({
      args,
      files: files({
        'configs/waiting.json': config('waiting', { url: `${service.origin}/`, timeout: 30_000, failOnError: true }),
        'configs/cached.json': {
          ...{ provider: 'echo', cache: { mode: 'simple' } },
          output_guardrails: [{ 'acme.act': { how: 'fine' }, deny: true }],
        },
      }),
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await service.close();
  });

  const write = (source: string): void => writeFileSync(path.join(gateway.folder, 'acme.js'), source);

  it('uses a new version of it without a restart, while requests run', async () => {
    const before = ask('waiting');
    const asked = await service.nextCall();
    write(plugin('second'));
    await expect.poll(() => ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'second' } }] });
    // The previous process runs as long as it has a request.
    asked.answer({ body: 'go on' });
    expect(await before).toMatchObject({ status: 200, checks: [{ data: { word: 'first' } }] });
    expect(gateway.printed()).toContain('The plugin "acme" was reloaded.');
    expect(await readRestart()).toEqual([]);
  });

  it('keeps the earlier version if the new one cannot be used, and reports that', async () => {
    write('export default { name: ');
    await expect
      .poll(readRestart)
      .toEqual([
        expect.stringContaining(
          'The plugin "./acme.js" has changed on disk, and its earlier version stays in service: ',
        ),
      ]);
    expect(await ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'second' } }] });
    write(plugin('third'));
    await expect.poll(() => ask('fine')).toMatchObject({ checks: [{ data: { word: 'third' } }] });
    await expect.poll(readRestart).toEqual([]);
  });

  it('judges cached answers that the earlier version had passed with the new one', async () => {
    for (const status of [200, 200]) expect(await ask('cached')).toMatchObject({ status });
    write(
      plugin('fourth').replace('fine: () => ({ pass: true', "fine: ({ text }) => ({ pass: !text.includes('hello')"),
    );
    await expect.poll(() => ask('fine')).toMatchObject({ status: 446 });
    expect(await ask('cached')).toMatchObject({ status: 446 });
    write(plugin('fifth'));
    await expect.poll(() => ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'fifth' } }] });
  });

  it('keeps the earlier version if a config does not fit the new one', async () => {
    write(plugin('sixth', 'act'));
    await expect
      .poll(readRestart)
      .toEqual([
        expect.stringMatching(
          /^The plugin "\.\/acme\.js" has changed on disk, and its earlier version stays in service: with the new one, (?:\w+\.json and )*fine\.json(?: and \w+\.json)* cannot be served\.$/,
        ),
      ]);
    expect(gateway.printed()).toContain('"acme.act" requires "act".');
    expect(await ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'fifth' } }] });
  });
});

it('reports parameters that an isolated check refuses, and checks only for requests, at their places', async () => {
  const ofAnswers = { provider: 'echo', output_guardrails: [{ 'acme.act': { how: 'loop' } }] };
  const folder = writeFolder(files({ 'configs/wrong.json': config('sing'), 'configs/answers.json': ofAnswers }));
  const { code, out } = await runGw(folder, ['check', 'configs']);
  expect(code).toBe(1);
  expect(out).toContain('There is no act "sing".');
  expect(out).toMatch(/configs\/wrong\.json:\d+:\d+/);
  expect(out).toMatch(/warning\[requests-only\].*\n.*configs\/answers\.json:\d+:\d+/);
  rmSync(folder, { recursive: true, force: true });
});

describe.each(ways)('a compiled plan that needs a plugin, served by %s', (_, more) => {
  const compiled = async (): Promise<string> => {
    const folder = writeFolder(files());
    expect(await runGw(folder, ['compile', 'configs', '--out', 'plans', '--no-types'])).toMatchObject({ code: 0 });
    return folder;
  };

  it('is served only with the files with which it was compiled', async () => {
    const folder = await compiled();
    gateway = await startGateway({ folder, args: ['--config', 'gateway.json', '--plans', 'plans', ...more] });
    onTestFinished(() => gateway.stop());
    expect(await ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'first' } }] });
    // A change at run time is reported, and takes effect after a restart.
    writeFileSync(path.join(folder, 'acme.js'), plugin('second'));
    await expect
      .poll(readRestart)
      .toEqual([expect.stringContaining('The plugin "acme" has changed on disk (acme.js)')]);
    expect(await ask('fine')).toMatchObject({ status: 200, checks: [{ data: { word: 'first' } }] });
    await gateway.stop();
    await expect(
      startGateway({ folder, args: ['--config', 'gateway.json', '--plans', 'plans', ...more] }),
    ).rejects.toThrow(/The plugin "acme" is not the one that this plan was compiled with/);
    rmSync(folder, { recursive: true, force: true });
  });
});
