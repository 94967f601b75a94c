import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, readReady, startWorkers, type WorkersStart, workersOf } from './worker-processes.ts';

/** A check that one process cannot link: the process whose id is in a file. */
const choosyPlugin = `import { readFileSync } from 'node:fs';
export default { name: 'choosy', api: 1, guardrails: [{
  id: 'choosy.any',
  parameters: { type: 'object', properties: {} },
  phases: ['input'],
  create: () => {
    const [refused] = [readFileSync(new URL('./refused.txt', import.meta.url), 'utf8').trim()];
    if (refused === String(process.pid)) throw new Error('This process refuses.');
    return async () => ({ pass: true });
  },
}] };`;

const workers = 3;

let upstream: TestUpstream;
let gateway: GatewayProcess;

/** Returns a config that makes answers contain a word. */
const config = (word: string, more: object = {}): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  override_params: { user: word },
  ...more,
});
const start = (more: Partial<WorkersStart> = {}): Promise<GatewayProcess> =>
  startWorkers({ workers, configs: { main: config('started') }, env: { KEY: 'a-key' }, ...more });
const write = (name: string, content: unknown): void =>
  writeFileSync(path.join(gateway.folder, name), typeof content === 'string' ? content : JSON.stringify(content));

interface Ready {
  readonly generation: number;
  readonly plans: readonly { readonly hash: string }[];
  readonly workers: { readonly crashed: number };
}
const readNow = async (): Promise<Ready> => (await readReady(gateway)) as unknown as Ready;
const hash = async (): Promise<unknown> => (await readNow()).plans[0]?.hash;

/** Writes a config, and waits until it is in service. */
const reload = async (word: string, more: object = {}): Promise<void> => {
  const before = await hash();
  write('configs/main.json', config(word, more));
  await expect.poll(hash, patience).not.toBe(before);
};

/** Returns a function for everything that the gateway prints from now on. */
const printing = (): (() => string) => {
  const { length } = gateway.printed();
  return () => gateway.printed().slice(length);
};

/** Returns the words of the plans that workers serve now, each queried separately. */
const served = async (): Promise<readonly unknown[]> => {
  const seen = new Map<number, string>();
  while (seen.size < workers) {
    const { worker, text } = await ask(gateway);
    seen.set(worker, JSON.parse(text).choices[0].message.content);
  }
  return [...new Set(seen.values())];
};

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: String(call.request.json().user ?? 'nobody') })));
  gateway = await start({
    settings: { plugins: [{ package: './naming.js' }, { package: './choosy.js' }] },
    files: { 'choosy.js': choosyPlugin, 'refused.txt': '0', 'key.txt': 'first-key' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('a reload of several workers', () => {
  it('applies to all of them, and is reported once', async () => {
    const { generation } = await readNow();
    const printed = printing();
    await reload('second');
    expect(await served()).toEqual(['second']);
    expect(await readReady(gateway)).toMatchObject({ status: 'ready', generation: generation + 1 });
    expect(printed().match(/were reloaded/g)).toHaveLength(1);
  });

  it('applies to the workers that start after a change that was made while none served', async () => {
    await reload('before');
    for (const pid of workersOf(gateway)) process.kill(pid, 'SIGKILL');
    write('configs/main.json', config('after'));
    await expect.poll(served, patience).toEqual(['after']);
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'ready' });
  });

  it('keeps the last good plan in all of them, and reports once what is wrong', async () => {
    await reload('good');
    const printed = printing();
    write('configs/main.json', '{ "provider": "openaj" }');
    await expect
      .poll(() => readReady(gateway), patience)
      .toMatchObject({ status: 'degraded', refused: [{ file: 'main.json' }] });
    expect(await served()).toEqual(['good']);
    expect(printed().match(/unknown-provider/g)).toHaveLength(1);
  });

  it('applies to none of them while one cannot link the plan', async () => {
    const checked = { input_guardrails: [{ 'choosy.any': {}, deny: true }] };
    await reload('linked', checked);
    const { generation } = await readNow();
    const printed = printing();
    const [refusing = 0] = workersOf(gateway);
    write('refused.txt', String(refusing));
    write('configs/main.json', config('refused', checked));
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'degraded' });
    const { reason } = await readReady(gateway);
    expect(reason).toContain('not all workers can serve them');
    expect(await served()).toEqual(['linked']);
    // The refusal is reported once, however often it is retried.
    expect(printed().match(/The new plans are not served/g)).toHaveLength(1);
    write('refused.txt', '0');
    await expect
      .poll(() => readReady(gateway), patience)
      .toMatchObject({ status: 'ready', generation: generation + 1 });
    expect(await served()).toEqual(['refused']);
  });

  it('gives a joining worker the plans in service, even if a file has become invalid', async () => {
    await reload('in service');
    const before = await readNow();
    const printed = printing();
    write('configs/main.json', '{ "provider": ');
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'degraded' });
    process.kill(workersOf(gateway)[0] ?? 0, 'SIGKILL');
    await expect
      .poll(() => readReady(gateway).catch(() => ({})), patience)
      .toMatchObject({
        ...{ generation: before.generation, refused: [{ file: 'main.json' }] },
        workers: { serving: workers, crashed: before.workers.crashed + 1 },
      });
    expect(await served()).toEqual(['in service']);
    expect(printed()).not.toContain('cannot start');
  });

  it('links all plans again on SIGHUP', async () => {
    await reload('at SIGHUP');
    const { generation } = await readNow();
    const printed = printing();
    gateway.signal('SIGHUP');
    await expect.poll(printed, patience).toContain('were reloaded');
    expect(await readReady(gateway)).toMatchObject({ status: 'ready', generation: generation + 1 });
  });
});

describe('a secret in a file', () => {
  it('is reloaded by all workers, which is reported once the last one has it', async () => {
    const secret = path.join(gateway.folder, 'key.txt');
    await reload('with a secret', { api_key: `\${file:${secret}}` });
    const printed = printing();
    const keys = async () => {
      const before = upstream.requests.length;
      await served();
      return [...new Set(upstream.requests.slice(before).map((request) => request.header('authorization')))];
    };
    expect(await keys()).toEqual(['Bearer first-key']);
    writeFileSync(secret, 'second-key');
    await expect.poll(printed, patience).toContain('has changed, and its new value is now used');
    expect(await keys()).toEqual(['Bearer second-key']);
    writeFileSync(secret, 'third-key');
    await expect.poll(() => printed().match(/has changed, and its new value is now used/g), patience).toHaveLength(2);
    expect(await keys()).toEqual(['Bearer third-key']);
    expect(printed().match(/has changed, and its new value is now used/g)).toHaveLength(2);
  });
});

describe('a gateway whose workers cannot start', () => {
  it.each([
    ['a config that cannot be served', { configs: { main: { provider: 'openaj' } } }, 'Some plans cannot be served.'],
    [
      'a default config that does not exist',
      { settings: { configs: 'configs', default_config: 'other' } },
      'has errors.',
    ],
  ])('reports the reason once for %s, and exits with 1', async (_, more, reason) => {
    const failed = await start(more).then((started) => started.stop().then(() => 'started'), String);
    expect(failed).toContain('The gateway ended with 1 before it listened');
    expect(failed.split(reason).length - 1).toBe(1);
  });
});
