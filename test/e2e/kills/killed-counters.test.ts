import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CounterState, Limits } from '../../../plugins/control/metering/counters/limits.ts';
import { openOwnedLimits } from '../../../plugins/control/metering/counters/open-owned-limits.ts';
import { OwnedCounters } from '../../../plugins/control/metering/counters/owned-counters.ts';
import { openRedisLimits } from '../../../plugins/control/metering/counters/redis/open-redis-limits.ts';
import type { Posting } from '../../../plugins/control/metering/ledger/posting.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import type { Note } from '../../plugins/control/metering/counters/support/limits-world.ts';
import { type OnceLedger, onceLedger } from '../../plugins/control/metering/counters/support/once-ledger.ts';
import { readNote, writeNote } from '../../plugins/control/metering/counters/support/redis-world.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import { buckets, maxReserved, maxUsed, perSecond, perUser, ttlMs } from './counted-load.ts';
import { type CountingOptions, startCounting } from './start-counting.ts';

/** For a long run: COUNTERS_ROUNDS=50 COUNTERS_PROCESSES=6 COUNTERS_CLIENTS=100 COUNTERS_AWAY_MS=5000 */
const rounds = Number(process.env.COUNTERS_ROUNDS ?? 1);
const processes = Number(process.env.COUNTERS_PROCESSES ?? 3);
const clients = Number(process.env.COUNTERS_CLIENTS ?? 20);
const awayMs = Number(process.env.COUNTERS_AWAY_MS ?? 400);
const loadMs = 300;
/**
 * On a busy machine, a process may hold nothing when it is killed, or call too rarely. Then another round follows, up to this
 * many.
 */
const maxRounds = 8 * rounds;

const namespace = 'killed';
const users = Array.from({ length: buckets }, (_, user) => perUser(user));

const openReader = (url: string, ledger: OnceLedger<Note>): Promise<Limits<Note>> =>
  openRedisLimits<Note>({
    ...{
      url,
      namespace,
      clock: systemClock,
      postings: ledger,
      readEntry: readNote,
      writeEntry: writeNote,
      commandMs: 5000,
      leaseMs: 1000,
    },
    sums: async () => [],
    say: () => {},
  });

/** The amounts that postings charge to a policy, by bucket and window. */
const toSums = (postings: readonly Posting<Note>[], policy: string): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { charges } of postings)
    for (const charge of charges) {
      if (charge.policy !== policy) continue;
      const key = `${charge.bucket} ${charge.window}`;
      sums.set(key, (sums.get(key) ?? 0) + charge.amount);
    }
  return sums;
};

/** Attempts that have ended, that a killed process had reserved, and that were allowed while the counters were unavailable. */
const notes: ReadonlySet<Note['note']> = new Set(['settled', 'expired', 'allowed']);

/** Whether attempts have ended in each way and a limit has been reached. */
const hasSeenAll = ({ kept }: OnceLedger<Note>): boolean => {
  const posted = [...kept.values()];
  const sums = toSums(posted, perUser(0).policy);
  return (
    new Set(posted.map(({ entry }) => entry.note)).size === notes.size &&
    users.some(({ bucket, limit }) => (sums.get(`${bucket} 0`) ?? 0) >= limit)
  );
};

const goesOn = (round: number, ledger: OnceLedger<Note>): boolean =>
  round < rounds || (round < maxRounds && !hasSeenAll(ledger));

/** Waits until nothing is reserved, and compares the counters with the limits and with the postings. */
const expectExact = async (limits: Pick<Limits<Note>, 'read'>, ledger: OnceLedger<Note>): Promise<void> => {
  await expect
    .poll(async () => (await limits.read(users)).map(({ reserved }) => reserved), {
      timeout: 10 * ttlMs,
      interval: 100,
    })
    .toEqual(users.map(() => 0));
  const counters = await limits.read(users);
  const posted = [...ledger.kept.values()];
  expect(new Set(posted.map(({ entry }) => entry.note))).toEqual(notes);
  const sums = toSums(posted, perUser(0).policy);
  expect(counters.map(({ used }) => used)).toEqual(users.map(({ bucket }) => sums.get(`${bucket} 0`) ?? 0));

  const withoutAnswer = posted.filter(({ entry }) => entry.note === 'allowed');
  const allowed = toSums(withoutAnswer, perUser(0).policy);
  const overrun = maxReserved + processes * (clients + 1) * maxUsed;
  const bound = ({ bucket, limit }: CounterState) => limit + overrun + (allowed.get(`${bucket} 0`) ?? 0);
  expect(counters.filter((counter) => counter.used > bound(counter))).toEqual([]);
  expect(Math.max(...counters.map(({ used, limit }) => used / limit))).toBeGreaterThanOrEqual(1);
  const allowedRequests = toSums(withoutAnswer, perSecond.policy);
  for (const [window, requests] of toSums(posted, perSecond.policy))
    expect(requests - (allowedRequests.get(window) ?? 0), window).toBeLessThanOrEqual(perSecond.limit);
};

describe.skipIf(!hasRedis)('counters of several processes in one Redis (skipped if there is no redis-server)', () => {
  it(
    'stay within the limit and match the ledger, whatever is killed or frozen',
    async () => {
      const server = await startRedis('durable');
      onTestFinished(() => server.stop());
      const ledger = onceLedger<Note>();
      const options: CountingOptions = { url: server.url, namespace, clients, ledger };
      const running = await Promise.all(Array.from({ length: processes }, () => startCounting(options)));

      for (let round = 0; goesOn(round, ledger); round += 1) {
        await setTimeout(loadMs);
        await running.shift()?.kill();
        await setTimeout(loadMs);
        await server.kill();
        await setTimeout(awayMs);
        await server.restart();
        running.push(await startCounting(options));
        await setTimeout(loadMs);
        server.signal('SIGSTOP');
        await setTimeout(awayMs);
        server.signal('SIGCONT');
        await setTimeout(loadMs);
      }
      await Promise.all(running.map((each) => each.end()));

      const reader = await openReader(server.url, ledger);
      onTestFinished(() => reader.close());
      await expectExact(reader, ledger);
    },
    90_000 + maxRounds * 10 * (loadMs + awayMs),
  );
});

it(
  'counters of workers in their owner stay within the limit and match the ledger, whatever is killed or frozen',
  async () => {
    const ledger = onceLedger<Note>();
    const owner = new OwnedCounters<Note>({
      ...{ clock: systemClock, readEntry: readNote, say: () => {} },
      postings: { take: (posting) => ledger.post([posting]) },
    });
    onTestFinished(() => owner.close());
    const options: CountingOptions = { url: '', namespace, clients, owner, ledger };
    const running = await Promise.all(Array.from({ length: processes }, () => startCounting(options)));
    for (let round = 0; goesOn(round, ledger); round += 1) {
      await setTimeout(loadMs);
      await running.shift()?.kill();
      await setTimeout(loadMs);
      running.push(await startCounting(options));
      // The owner hangs, and answers no process meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, awayMs);
      await setTimeout(loadMs);
    }
    await Promise.all(running.map((each) => each.end()));
    const reader = openOwnedLimits<Note>({
      counters: { run: (question, args) => owner.answer(0, question, args), posted: async () => {} },
      ...{ clock: systemClock, say: () => {}, writeEntry: writeNote },
    });
    await expectExact(reader, ledger);
  },
  90_000 + maxRounds * 10 * (loadMs + awayMs),
);
