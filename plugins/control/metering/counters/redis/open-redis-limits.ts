import type { Clock } from '../../../../sdk/clock.ts';
import type { Postings } from '../../ledger/posting.ts';
import { CountersAvailability } from '../counters-availability.ts';
import type { CounterSum, Limits } from '../limits.ts';
import type { CountersPlace } from '../remote-counters.ts';
import { RemoteLimits } from '../remote-limits.ts';
import { CounterUpkeep } from './counter-upkeep.ts';
import { redisError, ScriptRunner } from './script-runner.ts';

export interface RedisLimitsOptions<Entry> {
  /** As `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Distinguishes the counters of one store from those of others in the same Redis: letters, digits and hyphens. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly postings: Postings<Entry>;
  /** An entry that was written as JSON; undefined if it is none. */
  readonly readEntry: (value: unknown) => Entry | undefined;
  /** Reads the ledger's sums of all counters in their present windows. */
  readonly sums: () => Promise<readonly CounterSum[]>;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** Milliseconds that a decision waits for Redis. */
  readonly commandMs?: number;
  /** Settlements that are kept while Redis is unavailable. */
  readonly maxUnsent?: number;
  /** Milliseconds after which another process goes on with what one that has ended had begun. */
  readonly leaseMs?: number;
  /** Lua: where scripts have the time from; that of Redis if absent. */
  readonly time?: string;
}

/** Milliseconds after which a command that no request waits for is given up. */
const patientMs = 1000;

const place: CountersPlace = {
  name: 'the Redis of the limits',
  advice: 'Check that it runs and lets the gateway in',
  describe: redisError,
};

/** Opens counters in a Redis that several processes share, and waits for a moment until they can be asked. It never rejects. */
export const openRedisLimits = async <Entry>(options: RedisLimitsOptions<Entry>): Promise<Limits<Entry>> => {
  const { url, namespace, clock, say, time, commandMs = 100, maxUnsent = 100_000, leaseMs = 5000 } = options;
  const prefix = `{gatewright:limits:${namespace}}:2:`;
  // Only decisions are waited for by requests. What else is sent would otherwise be sent again and again where Redis is slow.
  const patient = { url, prefix, commandMs: Math.max(patientMs, commandMs), time };
  const decisions = new ScriptRunner(patient);
  const others = new ScriptRunner(patient);
  const availability = new CountersAvailability({ clock, say, place });
  const limits = new RemoteLimits<Entry>({
    ...{ decisions, others, availability, place, clock, commandMs, maxUnsent, say },
    beside: (unsent) => new CounterUpkeep({ ...options, runner: others, availability, unsent, leaseMs }),
    close: () => Promise.all([decisions.close(), others.close()]),
  });
  await limits.start(() => decisions.run('read', ['[]']));
  return limits;
};
