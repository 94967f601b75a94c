import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toTenant } from '../../../support/sample-exchange.ts';
import { actingPlugin, type Isolated, isolate } from './support.ts';

const acts = `
  loop: () => { for (;;); },
  spin: async () => { for (;;) await undefined; },
  loopsLater: async (_input, { http }) => { await http.send({ url: 'https://api.test/' }); for (;;); },
  loopsAfterTime: (_input, { timers }) => new Promise(() => { timers.after(1, () => { for (;;); }); }),
  long: () => { const until = Date.now() + 8000; while (Date.now() < until); return pass(); },
  exit: () => process.exit(3),
  waits: async (_input, { http }) => pass((await http.send({ url: 'https://api.test/' })).status),
  process: () => pass({ pid: process.pid }),
`;
const plugin = actingPlugin(acts, `permissions: { hosts: ['api.test'] },`);

const from = (name: string) => ({ tenant: toTenant(name) });
const passed = { pass: true };

/** Calls it again and again, some at a time, until it is stopped; returns what stops it. */
const flood = (run: () => Promise<unknown>, atATime = 8): (() => Promise<void>) => {
  let isOver = false;
  const worker = async (): Promise<void> => {
    // What fails at once is not called again at once.
    while (!isOver) await Promise.all([run(), setTimeout(5)]);
  };
  const workers = Promise.all(Array.from({ length: atATime }, worker));
  return async () => {
    isOver = true;
    await workers;
  };
};

const readProcess = async ({ run }: Isolated, name: string): Promise<unknown> => {
  const verdict = await run('process', { input: from(name), withinMs: 30_000 });
  return typeof verdict === 'string' ? verdict : verdict.data;
};

describe('while a check of one tenant occupies a process', () => {
  it.each(['loop', 'spin', 'loopsLater', 'loopsAfterTime'])(
    'calls of another are answered before it ends: %s',
    async (how) => {
      const isolated = await isolate({ 'plugin.mjs': plugin });
      const ended: string[] = [];
      const noted = async (name: string, run: Promise<unknown>): Promise<unknown> => {
        const result = await run;
        ended.push(name);
        return result;
      };
      const floods = Array.from({ length: 40 }, () =>
        noted('flood', isolated.run(how, { input: from('flood'), withinMs: 20_000 })),
      );
      for (let call = 0; call < 10; call += 1)
        expect(await noted('calm', isolated.run('pass', { input: from('calm'), withinMs: 20_000 }))).toMatchObject(
          passed,
        );
      expect(ended).toEqual(Array.from({ length: 10 }, () => 'calm'));
      for (const each of isolated.loaded.isolated) each.close();
      await Promise.all(floods);
    },
  );

  it('calls of another that had begun stay in it, and those that had not run once, elsewhere', async () => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const asked: string[] = [];
    const answer = Promise.withResolvers<{ status: number; headers: []; text: string }>();
    const waits = (name: string) =>
      isolated.run('waits', {
        ...{ input: from(name), withinMs: 60_000 },
        http: () => {
          asked.push(name);
          return answer.promise;
        },
      });
    const begun = waits('begun');
    await expect.poll(() => asked).toEqual(['begun']);
    const long = isolated.run('long', { input: from('long'), withinMs: 60_000 });
    const later = waits('later');
    await expect.poll(() => asked).toEqual(['begun', 'later']);
    answer.resolve({ status: 200, headers: [], text: '' });
    expect(await Promise.all([later, begun, long])).toMatchObject([passed, passed, passed]);
    // The process that was occupied has read by now that it is not to begin the one that runs elsewhere.
    expect(await isolated.run('pass', { input: from('long') })).toMatchObject(passed);
    expect(asked).toEqual(['begun', 'later']);
    expect(isolated.log).toEqual([expect.stringContaining('has 2 processes now')]);
  });

  it('three more that do the same keep nobody from a process', async () => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const loops: Promise<unknown>[] = [];
    const processes: unknown[] = [];
    for (const name of ['red', 'green', 'blue']) {
      loops.push(...Array.from({ length: 20 }, () => isolated.run('loop', { input: from(name), withinMs: 60_000 })));
      processes.push(await readProcess(isolated, 'calm'));
    }
    expect(processes).toEqual(Array.from({ length: 3 }, () => ({ pid: expect.any(Number) })));
    expect(new Set(processes.map((each) => JSON.stringify(each))).size).toBe(3);
    expect(await readProcess(isolated, 'another')).toEqual(processes.at(-1));
    for (const each of isolated.loaded.isolated) each.close();
    await Promise.all(loops);
  });

  it.each([
    ['loops until its time is over', 'loop', 200],
    ['ends its process', 'exit', 5000],
  ])('no call of another fails, however often it %s', async (_, how, withinMs) => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const stop = flood(() => isolated.run(how, { input: from('flood'), withinMs }));
    const results: unknown[] = [];
    const deaths = (): number => isolated.log.filter((line) => line.includes('is started again')).length;
    while (deaths() < 4) {
      results.push(await isolated.run('pass', { input: from('calm'), withinMs: 20_000 }));
      await setTimeout(5);
    }
    await stop();
    expect(results.filter((each) => typeof each === 'string')).toEqual([]);
    expect(results.length).toBeGreaterThan(4);
  });

  it('there is no second process while nobody else calls', async () => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const before = await readProcess(isolated, 'same');
    const first = isolated.run('loop', { input: from('same'), withinMs: 400 });
    expect([await first, await isolated.run('pass', { input: from('same'), withinMs: 400 })]).toEqual([
      expect.stringContaining('did not answer within 400 ms'),
      expect.any(String),
    ]);
    await expect.poll(() => isolated.run('pass', { input: from('same') })).toMatchObject(passed);
    expect(await readProcess(isolated, 'same')).not.toEqual(before);
    expect(isolated.log).toEqual([expect.stringContaining('is started again in 100 ms')]);
  });
});
