/**
 * Counts without end in the given Redis, as many clients at the same time, and sends postings to its parent, which has the
 * ledger.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Charge, Limits } from '../../../plugins/control/metering/counters/limits.ts';
import {
  type OwnedCountersAsker,
  openOwnedLimits,
} from '../../../plugins/control/metering/counters/open-owned-limits.ts';
import { openRedisLimits } from '../../../plugins/control/metering/counters/redis/open-redis-limits.ts';
import type { Posting } from '../../../plugins/control/metering/ledger/posting.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import type { Note } from '../../plugins/control/metering/counters/support/limits-world.ts';
import { readNote, writeNote } from '../../plugins/control/metering/counters/support/redis-world.ts';
import { buckets, maxReserved, maxUsed, perSecond, perUser, ttlMs } from './counted-load.ts';
import type { CountersAsked } from './start-counting.ts';

const [, , url = '', namespace = '', clients = '1'] = process.argv;

/** Batches that the parent has not confirmed yet, by number. */
const batches = new Map<number, () => void>();
let isOver = false;
let count = 0;

process.on('message', (message: unknown) => {
  if (message === 'end') isOver = true;
  else if (typeof message === 'number') batches.get(message)?.();
});

process.on('disconnect', () => process.exit());

const post = (postings: readonly Posting<Note>[]): Promise<void> =>
  new Promise((resolve) => {
    count += 1;
    batches.set(count, resolve);
    process.send?.({ batch: count, postings });
  });

/** The counters of the parent process. */
const ownedCounters = (): OwnedCountersAsker => {
  const waiting = new Map<number, (answer: readonly string[]) => void>();
  let last = 0;
  process.on('message', (message: { asked?: number; answer?: readonly string[] }) => {
    if (message.asked !== undefined) waiting.get(message.asked)?.(message.answer ?? []);
  });
  return {
    posted: async () => {},
    run: (question, args) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        process.send?.({ asked: last, question, args } satisfies CountersAsked);
      }),
  };
};

const limits: Limits<Note> =
  url === 'owned'
    ? openOwnedLimits({
        counters: ownedCounters(),
        clock: systemClock,
        commandMs: 100,
        say: () => {},
        writeEntry: writeNote,
      })
    : await openRedisLimits<Note>({
        ...{ url, namespace, clock: systemClock, readEntry: readNote, writeEntry: writeNote, leaseMs: 1000 },
        postings: { post },
        sums: async () => [],
        say: () => {},
      });

const below = (most: number): number => Math.floor(Math.random() * most);

/** Some attempts are made although the counters are unavailable, as a policy may allow. */
const attempt = async (): Promise<void> => {
  const id = randomUUID();
  const charges: readonly Charge[] = [perSecond, { ...perUser(below(buckets)), amount: below(maxReserved) }];
  const { kind } = await limits.reserve(id, charges, { ttlMs, entry: { note: 'expired' } });
  const isAllowed = kind === 'unavailable' && below(20) === 0;
  if (kind !== 'granted' && !isAllowed) return await setTimeout(5);
  await setTimeout(below(20));
  if (below(10) === 0) return limits.release(id);
  const actual = charges.map((charge) => (charge.unit === 'tokens' ? { ...charge, amount: below(maxUsed) } : charge));
  limits.settle(id, actual, { note: isAllowed ? 'allowed' : 'settled' });
};

const client = async (): Promise<void> => {
  while (!isOver) await attempt();
};

/** Always has something in flight, so that there is something whenever the process is killed. */
const slowClient = async (): Promise<void> => {
  while (!isOver) {
    const id = randomUUID();
    const charge = { ...perUser(below(buckets)), amount: maxReserved };
    const { kind } = await limits.reserve(id, [charge], { ttlMs, entry: { note: 'expired' } });
    await setTimeout(500 + below(500));
    if (kind === 'granted') limits.settle(id, [{ ...charge, amount: below(maxUsed) }], { note: 'settled' });
  }
};

process.send?.('open');
await Promise.all([slowClient(), ...Array.from({ length: Number(clients) }, client)]);
await limits.close();
process.disconnect();
