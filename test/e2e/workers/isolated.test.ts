import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { type Answered, ask, readReady, startWorkers } from './worker-processes.ts';

/** A plugin that counts its calls in memory, loops, or calls a service. Its data shows what it saw of a call. */
const plugin = (word: string): string => `
let calls = 0;
let cancelled = 0;
const acts = {
  count: () => ({ pass: true, data: { word: '${word}', calls: ++calls, cancelled, key: process.env.KEY ?? null } }),
  loop: () => { for (;;); },
  ends: () => process.exit(3),
  asks: async ({ cancellation }, { http }, url) => {
    cancellation.onCancel(() => { cancelled += 1; });
    await http.send({ method: 'GET', url, cancellation });
    return { pass: true, data: { word: '${word}' } };
  },
};
export default {
  name: 'acme', api: 1, permissions: { hosts: ['127.0.0.1'] },
  guardrails: [{
    id: 'acme.act',
    parameters: { type: 'object', required: ['how'], properties: { how: { type: 'string' }, url: { type: 'string' } } },
    create: ({ how, url }, services) => (input) => acts[how](input, services, url),
  }],
};`;

const workers = 2;

const config = (how: string, more: object = {}): object => ({
  provider: 'echo',
  input_guardrails: [{ 'acme.act': { how, timeout: 30_000, failOnError: true, ...more }, deny: true }],
});

/** The upstream that a check calls. */
let upstream: TestUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startWorkers({
    workers,
    env: { KEY: 'a-secret-of-the-gateway' },
    settings: { plugins: [{ package: './naming.js' }, { package: './acme.js', isolate: true }] },
    configs: {
      main: config('count'),
      ends: config('ends'),
      asks: config('asks', { url: `${upstream.origin}/` }),
      loop: config('loop', { timeout: 500 }),
      other: { provider: 'echo' },
    },
    files: { 'acme.js': plugin('first') },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const named = (name: string): Promise<Answered> => ask(gateway, { headers: { 'x-gw-config': name } });

const dataOf = ({ text }: Answered): Record<string, unknown> => {
  const [hook] = JSON.parse(text).hook_results?.before_request_hooks ?? [];
  return hook?.checks?.[0]?.data ?? hook?.checks?.[0]?.error ?? {};
};

/** Returns the ids of the isolated plugin processes on this machine that run for this gateway. */
const pluginProcesses = (): readonly number[] => {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 16 << 20 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  const parents = new Map(lines.map((found) => [Number(found?.[1]), Number(found?.[2])]));
  const isOurs = (pid: number): boolean => pid === gateway.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return lines
    .filter((found) => found?.[3]?.includes('--permission') === true && isOurs(Number(found[1])))
    .map((found) => Number(found?.[1]));
};

/** The last of these tests stops the gateway. */
describe('an isolated plugin of several workers', () => {
  it('has one process with one memory for all of them, and none of the credentials', async () => {
    const answers: Answered[] = [];
    await expect
      .poll(async () => {
        answers.push(await named('main'));
        return new Set(answers.map(({ worker }) => worker)).size;
      }, patience)
      .toBeGreaterThan(1);
    expect(answers.map((answer) => dataOf(answer).calls)).toEqual(answers.map((_, at) => at + 1));
    expect(dataOf(answers[0] as Answered)).toMatchObject({ word: 'first', key: null });
    const processes = pluginProcesses();
    expect(processes).toHaveLength(1);
    expect(readFileSync(`/proc/${processes[0]}/environ`, 'utf8')).not.toContain('a-secret-of-the-gateway');
  });

  it('checks the long texts of many concurrent requests, whichever worker has them', async () => {
    const { calls: before } = dataOf(await named('main'));
    const long = {
      model: 'm',
      messages: [{ role: 'user', content: `${'\u00e9\ud83d\ude00 "quoted"\n'.repeat(25_000)}` }],
    };
    // Each has a megabyte. Together they are smaller than the queue of a plugin.
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(gateway, { body: long })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const calls = answers.map((answer) => Number(dataOf(answer).calls));
    expect(calls.toSorted((a, b) => a - b)).toEqual(answers.map((_, at) => Number(before) + at + 1));
  });

  it('fails the running calls of every worker if its process ends, and starts again', async () => {
    expect(dataOf(await named('main'))).toMatchObject({ word: 'first' });
    const [ended] = pluginProcesses();
    const failed = await named('ends');
    expect(failed.status).toBe(446);
    expect(failed.text).toContain(
      'The process of the isolated plugin \\"./acme.js\\" ended while its check \\"acme.act\\" ran: it ended with exit code 3.',
    );
    // Its memory is new.
    const next = async (): Promise<unknown> => dataOf(await named('main')).calls;
    await expect.poll(next, patience).toBe(1);
    expect(pluginProcesses()).toHaveLength(1);
    expect(pluginProcesses()).not.toContain(ended);
    const said = gateway.printed().match(/ended while its check "acme\.act" ran/g);
    expect(said).toHaveLength(1);
  });

  it('continues if workers are killed, cancels their calls, and serves their replacements', async () => {
    const { cancelled = 0 } = dataOf(await named('main'));
    const asked = named('asks').then(
      () => 'answered',
      () => 'torn',
    );
    await upstream.nextCall();
    const seen = new Set<number>();
    await expect.poll(async () => seen.add((await named('main')).worker).size, patience).toBe(workers);
    for (const pid of seen) process.kill(pid, 'SIGKILL');
    expect(await asked).toBe('torn');
    const next = (): Promise<Record<string, unknown>> => named('main').then(dataOf, () => ({}));
    await expect.poll(next, patience).toMatchObject({ cancelled: Number(cancelled) + 1 });
    expect(pluginProcesses()).toHaveLength(1);
  });

  it('is replaced for all workers at once, and for those that join later', async () => {
    const words = async (): Promise<ReadonlySet<unknown>> => {
      const answers: Answered[] = [];
      while (new Set(answers.map(({ worker }) => worker)).size < workers) answers.push(await named('main'));
      return new Set(answers.map((answer) => dataOf(answer).word));
    };
    writeFileSync(path.join(gateway.folder, 'acme.js'), plugin('second'));
    await expect.poll(() => gateway.printed(), patience).toContain('The plugin "acme" was reloaded.');
    expect(await words()).toEqual(new Set(['second']));
    gateway.signal('SIGUSR2');
    await expect.poll(() => gateway.printed(), patience).toContain('All workers were replaced.');
    expect(await words()).toEqual(new Set(['second']));
    expect(pluginProcesses()).toHaveLength(1);
    expect(await readReady(gateway)).toMatchObject({ status: 'ready', restart: [] });
  });

  it('delays only its own requests if its check loops, while all workers serve others', async () => {
    const late = named('loop');
    for (let sent = 0; sent < 20; sent += 1) expect((await named('other')).status).toBe(200);
    expect((await late).text).toContain('did not answer within 500 ms.');
    await expect.poll(async () => (await named('main')).status, patience).toBe(200);
  });

  it('finishes running calls when the gateway stops, and ends with it', async () => {
    const asked = named('asks');
    const call = await upstream.nextCall();
    gateway.signal('SIGTERM');
    await expect
      .poll(
        () =>
          readReady(gateway).then(
            ({ status }) => status,
            () => 'gone',
          ),
        patience,
      )
      .not.toBe('ready');
    call.answer({ body: 'go on' });
    expect(await asked).toMatchObject({ status: 200, isWhole: true });
    expect(await gateway.exited).toBe(0);
    await expect.poll(pluginProcesses, patience).toEqual([]);
  });
});
