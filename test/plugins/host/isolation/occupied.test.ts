import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';
import { actingPlugin, type Isolated, isolate } from './support.ts';

/** A check that occupies its process blocks instead of looping: other calls see no difference, and no processor time is used. */
const acts = `
  still: (ms = 100) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  loop: () => { for (;;) acts.still(); },
  spin: async () => { for (;;) await acts.still(); },
  loopsLater: async (_input, { http }) => { await http.send({ url: 'https://api.test/' }); acts.loop(); },
  loopsAfterTime: (_input, { timers }) => new Promise(() => { timers.after(1, () => acts.loop()); }),
  long: () => { acts.still(5000); return pass(); },
  exit: () => process.exit(3),
  waits: async (_input, { http }) => pass((await http.send({ url: 'https://api.test/' })).status),
  process: () => pass({ pid: process.pid }),
`;
const plugin = actingPlugin(acts, `permissions: { hosts: ['api.test'] },`);

const from = (name: string) => ({ tenant: toTenant(name) });
const passed = { pass: true };

/** Calls it repeatedly, several calls at a time, until the returned function is called. */
const flood = (run: () => Promise<unknown>, atATime = 8): (() => Promise<void>) => {
  let isOver = false;
  const worker = async (): Promise<void> => {
    // A call that fails immediately is not repeated immediately.
    while (!isOver) await Promise.all([run(), setTimeout(5)]);
  };
  const workers = Promise.all(Array.from({ length: atATime }, worker));
  return async () => {
    isOver = true;
    await workers;
  };
};

/** The names of the runs that have ended so far, and a function that records when a run ends. */
const notes = (): readonly [readonly string[], (name: string, run: Promise<unknown>) => Promise<void>] => {
  const ended: string[] = [];
  return [ended, (name, run) => run.then(() => void ended.push(name))];
};

const readProcess = async ({ run }: Isolated, name: string): Promise<unknown> => {
  const verdict = await run('process', { input: from(name), withinMs: 30_000 });
  return typeof verdict === 'string' ? verdict : verdict.data;
};

describe('while a check of one tenant occupies a process', () => {
  it('calls of another tenant are answered before that check ends, even if three tenants each occupy a process', async () => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const [ended, noted] = notes();
    const floods: Promise<unknown>[] = [];
    const processes: unknown[] = [];
    for (const how of ['loop', 'spin', 'loopsLater']) {
      const given = { input: from(how), withinMs: 60_000 };
      floods.push(...Array.from({ length: 20 }, () => noted(how, isolated.run(how, given))));
      for (let call = 0; call < 5; call += 1)
        expect(await isolated.run('pass', { input: from('calm'), withinMs: 20_000 })).toMatchObject(passed);
      processes.push(await readProcess(isolated, 'calm'));
    }
    expect(ended).toEqual([]);
    expect(processes).toEqual(Array.from({ length: 3 }, () => ({ pid: expect.any(Number) })));
    expect(new Set(processes.map((each) => JSON.stringify(each))).size).toBe(3);
    expect(await readProcess(isolated, 'another')).toEqual(processes.at(-1));
    for (const each of isolated.loaded.isolated) each.close();
    await Promise.all(floods);
  });

  it('calls of another tenant are answered even if the check started to block only some time after its call', async () => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const [ended, noted] = notes();
    const given = { input: from('flood'), withinMs: 20_000 };
    const floods = Array.from({ length: 40 }, () => noted('flood', isolated.run('loopsAfterTime', given)));
    for (let call = 0; call < 10; call += 1)
      expect(await isolated.run('pass', { input: from('calm'), withinMs: 20_000 })).toMatchObject(passed);
    expect(ended).toEqual([]);
    for (const each of isolated.loaded.isolated) each.close();
    await Promise.all(floods);
  });

  it('started calls of another tenant stay in that process, and waiting calls run once, in another process', async () => {
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
    // By now the occupied process has read that it must not start the call that runs elsewhere.
    expect(await isolated.run('pass', { input: from('long') })).toMatchObject(passed);
    expect(asked).toEqual(['begun', 'later']);
    expect(isolated.log).toEqual([expect.stringContaining('has 2 processes now')]);
  });

  it('no call of a third tenant fails, however often others loop until their time-out or end their process', async () => {
    const isolated = await isolate({ 'plugin.mjs': plugin });
    const stops = [
      flood(() => isolated.run('loop', { input: from('loops'), withinMs: 200 })),
      flood(() => isolated.run('exit', { input: from('ends'), withinMs: 5000 })),
    ];
    const results: unknown[] = [];
    const deaths = (why: string): number => isolated.log.filter((line) => line.includes(why)).length;
    while (results.length < 5 || deaths('time of 200 ms was over') < 2 || deaths('it ended with exit code 3') < 2) {
      results.push(await isolated.run('pass', { input: from('calm'), withinMs: 20_000 }));
      await setTimeout(5);
    }
    await Promise.all(stops.map((stop) => stop()));
    expect(results.filter((each) => typeof each === 'string')).toEqual([]);
  });

  it('no second process is started while no other tenant calls', async () => {
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
