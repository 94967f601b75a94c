import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { patience } from '../../support/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, readReady, startWorkers, type WorkersStart, workersOf } from './worker-processes.ts';

/** A check that one process cannot be linked with: that whose id is in a file. */
const choosyPlugin = `import { readFileSync } from 'node:fs';
export default { name: 'choosy', api: 1, guardrails: [{
  id: 'choosy.any',
  parameters: { type: 'object', properties: {} },
  phases: ['input'],
  create: () => {
    const [refused] = [readFileSync(new URL('./refused.txt', import.meta.url), 'utf8').trim()];
    if (refused === String(process.pid)) throw new Error('This process refuses.');
    return { check: async () => ({ verdict: true }) };
  },
}] };`;

let upstream: TestUpstream;
let gateway: GatewayProcess;

const config = (more: object = {}): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});
const start = async (more: Partial<WorkersStart> = {}): Promise<void> => {
  gateway = await startWorkers({ configs: { main: config() }, env: { KEY: 'a-key' }, ...more });
};
const write = (name: string, content: unknown): void =>
  writeFileSync(path.join(gateway.folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const hash = async (): Promise<unknown> =>
  ((await readReady(gateway)) as { plans: readonly { hash: string }[] }).plans[0]?.hash;

/** The hashes of the plans that workers serve now, each asked by itself. */
const served = async (): Promise<readonly unknown[]> => {
  const seen = new Map<number, string>();
  while (seen.size < 3) {
    const { worker, text } = await ask(gateway);
    seen.set(worker, JSON.parse(text).choices[0].message.content);
  }
  return [...new Set(seen.values())];
};

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: String(call.request.json().user ?? 'nobody') })));
});
afterAll(() => upstream.close());
afterEach(() => gateway.stop());

describe('a reload of several workers', () => {
  it('is of all of them, and is said once', async () => {
    await start();
    const before = await hash();
    write('configs/main.json', config({ override_params: { user: 'second' } }));
    await expect.poll(hash, patience).not.toBe(before);
    expect(await served()).toEqual(['second']);
    expect(await readReady(gateway)).toMatchObject({ status: 'ready', generation: 2 });
    expect(gateway.printed().match(/were reloaded/g)).toHaveLength(1);
  });

  it('leaves the last good plan in all of them, and says once what is wrong', async () => {
    await start();
    write('configs/main.json', '{ "provider": "openaj" }');
    await expect
      .poll(() => readReady(gateway), patience)
      .toMatchObject({ status: 'degraded', refused: [{ file: 'main.json' }] });
    expect(await served()).toEqual(['nobody']);
    expect(gateway.printed().match(/unknown-provider/g)).toHaveLength(1);
  });

  it('is of none while one of them cannot be linked', async () => {
    const files = { 'choosy.js': choosyPlugin, 'refused.txt': '0' };
    const settings = { plugins: [{ package: './naming.js' }, { package: './choosy.js' }] };
    const checked = (user: string): object =>
      config({ override_params: { user }, input_guardrails: [{ 'choosy.any': {}, deny: true }] });
    await start({ configs: { main: checked('first') }, files, settings });
    const [refusing = 0] = workersOf(gateway);
    write('refused.txt', String(refusing));
    write('configs/main.json', checked('second'));
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'degraded' });
    const { reason } = await readReady(gateway);
    expect(reason).toContain('not all workers can serve them');
    expect(await served()).toEqual(['first']);
    // The refusal is said once, however often it is tried again.
    expect(gateway.printed().match(/No worker serves the new plans/g)).toHaveLength(1);
    write('refused.txt', '0');
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'ready', generation: 2 });
    expect(await served()).toEqual(['second']);
  });

  it('gives a worker that joins what is in service, also of a file that has gone bad', async () => {
    await start();
    write('configs/main.json', config({ override_params: { user: 'second' } }));
    await expect.poll(served, patience).toEqual(['second']);
    write('configs/main.json', '{ "provider": ');
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'degraded' });
    process.kill(workersOf(gateway)[0] ?? 0, 'SIGKILL');
    await expect
      .poll(() => readReady(gateway).catch(() => ({})), patience)
      .toMatchObject({ generation: 2, refused: [{ file: 'main.json' }], workers: { serving: 3, crashed: 1 } });
    expect(await served()).toEqual(['second']);
    expect(gateway.printed()).not.toContain('cannot start');
  });

  it('at SIGHUP links all plans again', async () => {
    await start();
    gateway.signal('SIGHUP');
    await expect.poll(() => gateway.printed(), patience).toContain('were reloaded');
    expect(await readReady(gateway)).toMatchObject({ status: 'ready', generation: 2 });
  });
});

describe('a secret in a file', () => {
  it('is followed by all workers, which is said once when the last has it', async () => {
    await start();
    await gateway.stop();
    const secret = path.join(gateway.folder, 'key.txt');
    await start({
      folder: gateway.folder,
      files: { 'key.txt': 'first-key' },
      configs: { main: config({ api_key: `\${file:${secret}}` }) },
    });
    await served();
    writeFileSync(secret, 'second-key');
    const keys = async () => {
      const before = upstream.requests.length;
      await served();
      return [...new Set(upstream.requests.slice(before).map((request) => request.header('authorization')))];
    };
    await expect.poll(() => gateway.printed(), patience).toContain('has changed, and its new value is used');
    expect(await keys()).toEqual(['Bearer second-key']);
    writeFileSync(secret, 'third-key');
    await expect
      .poll(() => gateway.printed().match(/has changed, and its new value is used/g), patience)
      .toHaveLength(2);
    expect(await keys()).toEqual(['Bearer third-key']);
    expect(gateway.printed().match(/has changed, and its new value is used/g)).toHaveLength(2);
  });
});

describe('a gateway whose workers cannot start', () => {
  it.each([
    ['a config that cannot be served', { configs: { main: { provider: 'openaj' } } }, 'Some plans cannot be served.'],
    [
      'a default config that there is not',
      { settings: { configs: 'configs', default_config: 'other' } },
      'has errors.',
    ],
  ])('says of %s once why, and ends with 1', async (_, more, reason) => {
    const failed = await start(more as Partial<WorkersStart>).then(() => 'started', String);
    expect(failed).toContain('The gateway ended with 1 before it listened');
    expect(failed.split(reason).length - 1).toBe(1);
    await start();
  });
});
