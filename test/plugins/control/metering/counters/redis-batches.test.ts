import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Decision,
  lookDecision,
  releaseDecision,
  reserveDecision,
  sentDecisions,
  settleDecision,
} from '../../../../../plugins/control/metering/counters/decision-texts.ts';
import type { Charge, CounterState } from '../../../../../plugins/control/metering/counters/limits.ts';
import { ScriptRunner } from '../../../../../plugins/control/metering/counters/redis/script-runner.ts';
import type { Posting } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { lawRuns, slowLawMs } from '../../../../support/run/law-runs.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../../support/servers/redis-server.ts';
import type { Note } from './support/limits-world.ts';
import { redisWorld, worldTime, writeNote } from './support/redis-world.ts';
import { lasting, oneRequest, tokens } from './support/sample-charges.ts';

/** Each run opens connections to two worlds. */
const numRuns = Math.max(10, Math.ceil(lawRuns.numRuns / 40));

type Step =
  | { readonly do: 'reserve'; readonly id: string; readonly charges: readonly Charge[]; readonly ttlMs: number }
  | { readonly do: 'look'; readonly charges: readonly Charge[] }
  | { readonly do: 'settle'; readonly id: string; readonly amounts: readonly number[]; readonly isKnown: boolean }
  | { readonly do: 'release'; readonly id: string; readonly isKnown: boolean };

const places: readonly Charge[] = [oneRequest, { ...tokens(0), bucket: 'one' }, { ...tokens(0), bucket: 'two' }];
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const charges = fc
  .subarray([...places], { minLength: 1 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((place) =>
        fc.nat(60).map((amount) => (place.unit === 'requests' ? { ...place, amount: 1 } : { ...place, amount })),
      ),
    ),
  );
const dueMs = 1000;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('reserve' as const), id, charges, ttlMs: fc.constantFrom(dueMs, 100 * dueMs) }),
  fc.record({ do: fc.constant('look' as const), charges }),
  fc.record({
    do: fc.constant('settle' as const),
    id,
    amounts: fc.array(fc.nat(90), { minLength: 3, maxLength: 3 }),
    isKnown: fc.boolean(),
  }),
  fc.record({ do: fc.constant('release' as const), id, isKnown: fc.boolean() }),
);

/** The outcome of decisions: their answers, the counters, and the postings in order. */
interface Outcome {
  readonly answers: readonly string[];
  readonly counters: readonly CounterState[];
  readonly postings: readonly Posting<Note>[];
}

describe.skipIf(!hasRedis)('decisions in one script (skipped if there is no redis-server)', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  const toDecision = (each: Step, epoch: string): Decision => {
    switch (each.do) {
      case 'reserve':
        return reserveDecision(each.id, each.charges, {
          ttlMs: each.ttlMs,
          entry: writeNote({ note: `estimate of ${each.id}` }),
        });
      case 'look':
        return lookDecision(each.charges);
      case 'settle': {
        const actual = places.map((place, index) => ({ ...place, amount: each.amounts[index] ?? 0 }));
        return settleDecision(each.id, actual, {
          epoch: each.isKnown ? epoch : '',
          entry: writeNote({ note: `use of ${each.id} by ${each.amounts.join()}` }),
        });
      }
      case 'release':
        return releaseDecision(each.id, each.isKnown ? epoch : '');
    }
  };

  const decided = async (runner: ScriptRunner, decisions: readonly Decision[]): Promise<readonly string[]> => {
    const [kind, , answers = ''] = await runner.run('decide', sentDecisions(decisions));
    expect(kind).toBe('decided');
    return answers.split('\n');
  };

  /** Returns the outcome of the steps, `atOnce` in each script, when the reservations before them are about to expire. */
  const readOutcome = async (before: readonly Step[], steps: readonly Step[], atOnce: number): Promise<Outcome> => {
    await using world = await redisWorld(server.url);
    const epoch = (await world.direct.hget(`${world.prefix}meta`, 'epoch')) ?? '';
    // So that nothing else expires what is due.
    await world.limits.close();
    const runner = new ScriptRunner({ url: server.url, prefix: world.prefix, commandMs: 20_000, time: worldTime });
    await expect.poll(() => decided(runner, []).catch(() => undefined)).toEqual(['']);
    for (const each of before) await decided(runner, [toDecision(each, epoch)]);
    await world.jump(dueMs);
    const answers: string[] = [];
    for (let at = 0; at < steps.length; at += atOnce) {
      const batch = steps.slice(at, at + atOnce).map((each) => toDecision(each, epoch));
      answers.push(...(await decided(runner, batch)));
    }
    await runner.close();
    const kept = await world.ledger();
    return { answers, counters: await world.limits.read(places), postings: [...kept.values()] };
  };

  it(
    'have the same outcome as the same decisions one by one',
    async () => {
      const someSteps = fc.array(step, { minLength: 2, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), someSteps, async (before, steps) => {
          const [together, oneByOne] = await Promise.all([
            readOutcome(before, steps, steps.length),
            readOutcome(before, steps, 1),
          ]);
          expect(together).toEqual(oneByOne);
        }),
        { ...lawRuns, numRuns },
      );
    },
    slowLawMs,
  );

  it('that are requested in one turn are not affected by a refused one among them', async () => {
    await using world = await redisWorld(server.url);
    const { limits } = world;
    const asked = [
      limits.reserve('a', [oneRequest, tokens(10)], lasting),
      limits.reserve('over', [tokens(20), { ...oneRequest, amount: 5 }], lasting),
      limits.reserve('b', [oneRequest, tokens(30)], lasting),
      limits.reserve('c', [oneRequest, tokens(40)], lasting),
      limits.reserve('d', [tokens(50)], lasting),
    ];
    const answers = await Promise.all(asked);
    expect(answers.map(({ kind }) => kind)).toEqual(['granted', 'refused', 'granted', 'refused', 'granted']);
    expect(await limits.read([oneRequest, tokens(0)])).toMatchObject([{ reserved: 2 }, { reserved: 90 }]);
    limits.settle('a', [oneRequest, tokens(1)], { note: 'a' });
    limits.release('b');
    limits.settle('d', [tokens(2)], { note: 'd' });
    expect(await limits.read([oneRequest, tokens(0)])).toMatchObject([
      { used: 1, reserved: 0 },
      { used: 3, reserved: 0 },
    ]);
    expect([...(await world.ledger()).keys()]).toEqual(['a', 'd']);
  });

  it('are granted and settled, whatever their number and size', async () => {
    await using world = await redisWorld(server.url);
    const { limits } = world;
    const note = 'a long one '.repeat(1000);
    const ids = Array.from({ length: 200 }, (_, index) => `a${index}`);
    const free = { ...tokens(1), limit: 1_000_000 };
    const answers = await Promise.all(ids.map((each) => limits.reserve(each, [free], { ttlMs: 1e9, entry: { note } })));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['granted']));
    for (const each of ids) limits.settle(each, [free], { note });
    expect(await limits.read([free])).toMatchObject([{ used: 200, reserved: 0 }]);
    expect([...(await world.ledger()).keys()]).toEqual(ids);
  });

  it('accept buckets and ids whose characters JSON escapes, and buckets that are not well-formed', async () => {
    await using world = await redisWorld(server.url);
    const odd = { ...tokens(5), bucket: 'a "\ud800"\n\u0000\\ b' };
    const id = 'an "id"\n\u007f\\';
    expect((await world.limits.reserve(id, [odd], lasting)).kind).toBe('granted');
    world.limits.settle(id, [odd], { note: 'a' });
    expect(await world.limits.read([odd])).toMatchObject([{ used: 5 }]);
    const posting = (await world.ledger()).get(id);
    expect(posting?.charges).toMatchObject([{ bucket: 'a "\ufffd"\n\u0000\\ b' }]);
  });

  it('are all unavailable after 100 ms if Redis does not answer, and reserve nothing', async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    await using world = await redisWorld(own.url);
    const waits: (() => void)[] = [];
    const limits = await world.open({
      commandMs: 100,
      clock: {
        ...systemClock,
        after(ms, run) {
          if (ms !== 100) return systemClock.after(ms, run);
          waits.push(run);
          return () => {};
        },
      },
    });
    own.signal('SIGSTOP');
    let isAnswered = false;
    const free = { ...tokens(7), limit: 1_000_000 };
    const asked = Array.from({ length: 100 }, (_, index) => limits.reserve(`a${index}`, [free], lasting));
    const answers = Promise.all([...asked, limits.peek([{ ...free, bucket: 'unknown' }])]);
    void answers.then(() => {
      isAnswered = true;
    });
    // One time-out for each script.
    await expect.poll(() => waits.length).toBe(2);
    expect(isAnswered).toBe(false);
    for (const run of waits) run();
    expect(new Set((await answers).map(({ kind }) => kind))).toEqual(new Set(['unavailable']));
    own.signal('SIGCONT');
    await expect.poll(() => world.limits.read([free]).catch(() => [])).toMatchObject([{ used: 0, reserved: 0 }]);
    await limits.close();
    expect(await world.limits.read([free])).toMatchObject([{ used: 0, reserved: 0 }]);
  });
});

describe.skipIf(!hasRedis)('a look at counters in Redis (skipped if there is no redis-server)', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it('queries Redis only if a counter may be full or was last read more than a second ago', async () => {
    await using world = await redisWorld(server.url);
    let now = 0;
    const limits = await world.open({ clock: { ...systemClock, monotonic: () => now } });
    await limits.reserve('a', [tokens(60)], lasting);
    expect(limits.peek([tokens(0)])).toMatchObject({ kind: 'granted', counters: [{ reserved: 60, limit: 100 }] });
    expect(limits.peek([tokens(0), oneRequest])).toBeInstanceOf(Promise);
    expect(limits.peek([{ ...tokens(0), limit: 60 }])).toBeInstanceOf(Promise);
    limits.settle('a', [tokens(39)], { note: 'a' });
    expect(limits.peek([tokens(0)])).toMatchObject({ kind: 'granted' });
    await limits.reserve('b', [tokens(1)], lasting);
    now += 1000;
    expect(limits.peek([tokens(0)])).toMatchObject({ kind: 'granted' });
    now += 1;
    const late = limits.peek([tokens(0)]);
    expect(late).toBeInstanceOf(Promise);
    expect(await late).toMatchObject({ kind: 'granted', counters: [{ used: 39, reserved: 1 }] });
    limits.settle('b', [tokens(70)], { note: 'b' });
    expect(await limits.peek([tokens(0)])).toMatchObject({ kind: 'refused', counter: { used: 109 } });
  });

  it('is refused after this process has seen a full counter, and granted after another process resets it', async () => {
    await using world = await redisWorld(server.url);
    const [one, other] = [world.limits, await world.open()];
    expect((await one.peek([tokens(0)])).kind).toBe('granted');
    await other.reserve('a', [tokens(100)], lasting);
    other.settle('a', [tokens(100)], { note: 'a' });
    await other.read([]);
    expect((await one.reserve('b', [tokens(1)], lasting)).kind).toBe('refused');
    expect((await one.peek([tokens(0)])).kind).toBe('refused');
    await other.reset(tokens(0));
    expect((await one.peek([tokens(0)])).kind).toBe('granted');
  });
});
