import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';
import { ask, readReady, startWorkers, stillRunning, type WorkersStart, workersOf } from './worker-processes.ts';

let upstream: TestUpstream;
let gateway: GatewayProcess;

const start = async (more: Partial<WorkersStart> = {}): Promise<void> => {
  const main = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
  gateway = await startWorkers({ configs: { main }, env: { KEY: 'a-key' }, ...more });
};

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

/** Starts a gateway for all tests of a `describe`. The last of them may stop it. */
const startForAll = (more: Partial<WorkersStart> = {}): void => {
  beforeAll(() => start(more));
  afterAll(() => gateway.stop());
};

/** Starts a gateway for one test. */
const startForTest = async (more: Partial<WorkersStart> = {}): Promise<void> => {
  await start(more);
  onTestFinished(() => gateway.stop());
};

/** Members of a gateway file with another plugin. */
const plugins = (file: string): object => ({
  configs: 'configs',
  default_config: 'main',
  plugins: [{ package: './naming.js' }, { package: file }],
});

/** Returns how many workers have crashed. */
const readCrashed = async (): Promise<number> => {
  const { workers } = (await readReady(gateway)) as { readonly workers: { readonly crashed: number } };
  return workers.crashed;
};

const isUp = (): Promise<boolean> =>
  ask(gateway, { path: '/livez', method: 'GET' }).then(
    () => true,
    () => false,
  );

/** Makes the upstream hold streams after their first frames, until the returned function is called. */
const holdStreams = (): (() => void) => {
  const frames = openaiStream({ text: 'It rains in Graz.' });
  const go = Promise.withResolvers<void>();
  upstream.handle(async (call) => {
    const stream = call.sse();
    for (const frame of frames.slice(0, 3)) stream.send(frame);
    await Promise.race([go.promise, call.gone]);
    for (const frame of frames.slice(3)) stream.send(frame);
    stream.end();
  });
  return go.resolve;
};

const streamed = { body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] } };

/** Starts streams until this many workers have one. Returns the results of the streams by worker. */
const streamAtEach = async (count: number) => {
  const streams = new Map<number, ReturnType<typeof ask>>();
  while (streams.size < count) {
    const begun = Promise.withResolvers<number>();
    const end = ask(gateway, { ...streamed, begun: begun.resolve });
    const worker = await begun.promise;
    streams.set(worker, end);
  }
  return streams;
};

describe('a gateway of three workers', () => {
  startForAll({ drainDelay: true, settings: { limits: { drain_delay_ms: 2000 } } });

  it('serves with three processes besides its own, on one port, and reports them', async () => {
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    expect(workersOf(gateway).length).toBe(3);
    const served = new Set<number>();
    await expect
      .poll(async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ask(gateway)));
        for (const { status, worker } of answers) {
          expect(status).toBe(200);
          served.add(worker);
        }
        return served.size;
      }, patience)
      .toBe(3);
    expect([...served].sort()).toEqual([...workersOf(gateway)].sort());
    expect(await readReady(gateway)).toMatchObject({
      ...{ code: 200, status: 'ready', plans: [{ name: 'main' }] },
      workers: { wanted: 3, serving: 3, crashed: 0 },
    });
    expect(gateway.printed()).toContain('Workers: 3\n');
  });

  it('ignores signals that a terminal sends to each process of its group', async () => {
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    const [workers, crashed] = [workersOf(gateway), await readCrashed()];
    for (const pid of workers) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    expect((await ask(gateway)).status).toBe(200);
    expect(await readReady(gateway)).toMatchObject({ workers: { serving: 3, crashed } });
    expect([...workersOf(gateway)].sort()).toEqual([...workers].sort());
  });

  it('replaces a killed worker: its streams are cut off, while others are complete', async () => {
    const crashed = await readCrashed();
    const go = holdStreams();
    const streams = await streamAtEach(3);
    const [killed = 0] = streams.keys();
    process.kill(killed, 'SIGKILL');
    const torn = await streams.get(killed);
    expect([torn?.isWhole, torn?.text.includes('[DONE]')]).toEqual([false, false]);
    go();
    streams.delete(killed);
    for (const { isWhole, text } of await Promise.all(streams.values()))
      expect([isWhole, text.includes('[DONE]')]).toEqual([true, true]);
    await expect
      .poll(() => readReady(gateway), patience)
      .toMatchObject({ status: 'ready', workers: { serving: 3, crashed: crashed + 1 } });
    expect(gateway.printed()).toContain(`(process ${killed}) ended: it was ended by SIGKILL. It is being replaced.`);
  });

  it('replaces a worker that throws outside of any request, whose streams end with an in-band error', async () => {
    const crashed = await readCrashed();
    const go = holdStreams();
    const streams = await streamAtEach(3);
    await ask(gateway, { body: { ...streamed.body, model: 'deadly' } }).catch(() => {});
    const { text } = await Promise.race(streams.values());
    expect(text).toContain('The gateway is shutting down');
    go();
    await Promise.all(streams.values());
    await expect
      .poll(() => readReady(gateway), patience)
      .toMatchObject({ status: 'ready', workers: { serving: 3, crashed: crashed + 1 } });
    expect(gateway.printed()).toContain(
      'An error was thrown outside of any request, so this worker ends: Error: thrown later',
    );
  });

  it('drains all of them on SIGTERM, reports draining from each until the delay is over, and exits with 0', async () => {
    const go = holdStreams();
    const streams = await streamAtEach(3);
    const workers = workersOf(gateway);
    gateway.signal('SIGTERM');
    await expect.poll(async () => (await readReady(gateway)).status, patience).toBe('draining');
    const pages = await Promise.all(Array.from({ length: 10 }, () => readReady(gateway)));
    expect(pages.map(({ code, status }) => [code, status])).toEqual(Array(10).fill([503, 'draining']));
    await expect.poll(isUp, patience).toBe(false);
    go();
    for (const { isWhole, text } of await Promise.all(streams.values()))
      expect([isWhole, text.includes('[DONE]')]).toEqual([true, true]);
    expect(await gateway.exited).toBe(0);
    expect(stillRunning(workers)).toEqual([]);
  });
});

describe('a gateway of several workers', () => {
  it('stops immediately at a second signal', async () => {
    await startForTest({ workers: 2 });
    holdStreams();
    const streams = await streamAtEach(2);
    const workers = workersOf(gateway);
    gateway.signal('SIGTERM');
    await expect.poll(isUp, patience).toBe(false);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(1);
    await Promise.all(streams.values());
    await expect.poll(() => stillRunning(workers), patience).toEqual([]);
  });

  it('reports no refused plans for a change that is made while all of them drain', async () => {
    await startForTest({ workers: 2 });
    const go = holdStreams();
    const streams = await streamAtEach(2);
    gateway.signal('SIGTERM');
    await expect.poll(isUp, patience).toBe(false);
    const before = gateway.printed().length;
    writeFileSync(path.join(gateway.folder, 'configs/other.json'), '{"provider":"echo"}');
    gateway.signal('SIGHUP');
    go();
    await Promise.all(streams.values());
    expect(await gateway.exited).toBe(0);
    expect(gateway.printed().slice(before)).toBe('');
  });

  it('exits with 0 on SIGTERM while a worker starts', async () => {
    const late = `import { existsSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      if (existsSync(new URL('./wait.txt', import.meta.url))) await setTimeout(1000);
      export default { name: 'late', api: 1, apply() {} };`;
    await startForTest({ workers: 2, settings: plugins('./late.js'), files: { 'late.js': late } });
    writeFileSync(path.join(gateway.folder, 'wait.txt'), '');
    const [killed = 0] = workersOf(gateway);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => gateway.printed(), patience).toContain('It is being replaced.');
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
  });

  it.each([
    ['after', 0],
    ['before', 1000],
  ])('finishes the streams of a worker that is being replaced on SIGTERM %s it drains', async (_, delayMs) => {
    await startForTest({ workers: 2, drainDelay: true, settings: { limits: { drain_delay_ms: delayMs } } });
    const go = holdStreams();
    const streams = await streamAtEach(2);
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    gateway.signal('SIGUSR2');
    await expect.poll(async () => streams.has((await ask(gateway)).worker), patience).toBe(false);
    await setTimeout(delayMs === 0 ? 300 : 0);
    gateway.signal('SIGTERM');
    await setTimeout(delayMs + 300);
    go();
    for (const { isWhole } of await Promise.all(streams.values())) expect(isWhole).toBe(true);
    expect(await gateway.exited).toBe(0);
  });

  it('leaves no process behind if the first process is killed, but finishes running streams', async () => {
    await startForTest({ workers: 2 });
    const go = holdStreams();
    const streams = await streamAtEach(2);
    const workers = workersOf(gateway);
    gateway.signal('SIGKILL');
    await expect.poll(isUp, patience).toBe(false);
    expect(stillRunning(workers)).toEqual(workers);
    go();
    for (const { isWhole } of await Promise.all(streams.values())) expect(isWhole).toBe(true);
    await expect.poll(() => stillRunning(workers), patience).toEqual([]);
  });
});

describe('workers that crash repeatedly', () => {
  const crashing = `import { existsSync } from 'node:fs';
    export default { name: 'crashing', api: 1, apply() {
      if (existsSync(new URL('./crash.txt', import.meta.url)))
        setTimeout(() => { throw new Error('thrown soon'); }, 300);
    } };`;
  startForAll({ workers: 2, settings: plugins('./crashing.js'), files: { 'crashing.js': crashing } });

  it('are awaited if all of them are killed: connections wait for the next one', async () => {
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    for (const pid of workersOf(gateway)) process.kill(pid, 'SIGKILL');
    expect((await ask(gateway)).status).toBe(200);
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ workers: { serving: 2 } });
  });

  it('are started with increasing delays, which is reported once, and at /readyz', async () => {
    const [, second = 0] = workersOf(gateway);
    writeFileSync(path.join(gateway.folder, 'crash.txt'), '');
    process.kill(second, 'SIGKILL');
    await expect.poll(() => gateway.printed(), patience).toContain('Workers crash repeatedly, so starts are delayed.');
    await expect
      .poll(() => readReady(gateway), patience)
      .toMatchObject({ code: 200, status: 'degraded', reason: expect.stringContaining('1 of 2 workers serve.') });
    expect(gateway.printed().match(/so starts are delayed/g)).toHaveLength(1);
    rmSync(path.join(gateway.folder, 'crash.txt'));
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'ready', workers: { serving: 2 } });
  });
});

describe('workers that cannot be started any more', () => {
  it('end the gateway with 1', async () => {
    const refusing = `import { existsSync } from 'node:fs';
      export default { name: 'refusing', api: 1, apply() {
        if (existsSync(new URL('./refuse.txt', import.meta.url))) throw new Error('It will not start.');
      } };`;
    await startForTest({ workers: 2, settings: plugins('./refusing.js'), files: { 'refusing.js': refusing } });
    writeFileSync(path.join(gateway.folder, 'refuse.txt'), '');
    for (const pid of workersOf(gateway)) process.kill(pid, 'SIGKILL');
    expect(await gateway.exited).toBe(1);
    expect(gateway.printed()).toContain('gw: No worker can be started. ');
    expect(gateway.printed()).toContain('It will not start.');
    expect(workersOf(gateway)).toEqual([]);
  });
});

it('neither SIGHUP nor SIGUSR2 stops a gateway whose workers are starting', async () => {
  const plugin = `
    if (process.send !== undefined) for (const signal of ['SIGHUP', 'SIGUSR2']) process.kill(process.ppid, signal);
    export default { name: 'signalling', api: 1, apply() {} };`;
  await startForTest({ workers: 2, settings: plugins('./signalling.js'), files: { 'signalling.js': plugin } });
  await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'ready', workers: { serving: 2 } });
});
