import { findRedisReason } from '../../../../redis/redis-reasons.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import { within } from '../../../../sdk/time/within.ts';
import { CountersAvailability } from '../counters-availability.ts';
import type { CounterSum, Limits } from '../limits.ts';
import type { CountersPlace } from '../remote-counters.ts';
import { RemoteLimits, type RemoteLimitsOptions } from '../remote-limits.ts';
import { CounterUpkeep } from './counter-upkeep.ts';
import { type PostedTexts, postLines } from './posting-texts.ts';
import { redisError, ScriptRunner } from './script-runner.ts';

export interface RedisLimitsOptions<Entry> extends PostedTexts<Entry>, Pick<RemoteLimitsOptions<Entry>, 'writeEntry'> {
  /** A URL: `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Distinguishes the counters of one store from those of others in the same Redis. Letters, digits and hyphens. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Reads the ledger's sums of all counters in their current windows. */
  readonly sums: () => Promise<readonly CounterSum[]>;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** How long a decision waits for Redis, in milliseconds. */
  readonly commandMs?: number;
  /** The maximum number of settlements that are kept while Redis is unavailable. */
  readonly maxUnsent?: number;
  /** After how many milliseconds another process continues the work of one that has ended. */
  readonly leaseMs?: number;
  /** The Lua expression from which scripts read the time; that of Redis if absent. */
  readonly time?: string;
}

/** The time-out of a command that no request waits for, in milliseconds. */
const patientMs = 1000;

/** The maximum time that postings to the ledger may take, in milliseconds. It is less than that of a lease. */
const longestPostMs = 3000;

const place: CountersPlace = {
  name: 'the Redis of the limits',
  advice: 'Check that it is running and accepts the gateway',
  remedy: (error) => findRedisReason(error)?.remedy,
  describe: redisError,
};

/** Opens counters in a Redis that several processes share, and waits briefly until they can be queried. Never rejects. */
export const openRedisLimits = async <Entry>(options: RedisLimitsOptions<Entry>): Promise<Limits<Entry>> => {
  const {
    url,
    namespace,
    clock,
    say,
    time,
    writeEntry,
    commandMs = 100,
    maxUnsent = 100_000,
    leaseMs = 5000,
  } = options;
  const prefix = `{gatewright:limits:${namespace}}:2:`;
  // Requests wait only for decisions. With the same short time-out, other commands would be resent repeatedly if Redis is slow.
  const patient = { url, prefix, commandMs: Math.max(patientMs, commandMs), time };
  const decisions = new ScriptRunner(patient);
  const others = new ScriptRunner(patient);
  const availability = new CountersAvailability({ clock, say, place, hasUpkeep: true });
  // If the ledger does not accept postings, they wait in Redis, and delay nothing else. The same ones may be posted again.
  const post = (lines: string): Promise<number> => within(clock, longestPostMs, postLines(options, lines));
  const limits = new RemoteLimits<Entry>({
    ...{ decisions, others, availability, place, clock, commandMs, maxUnsent, say, writeEntry },
    beside: (unsent) => new CounterUpkeep({ ...options, runner: others, availability, unsent, post, leaseMs }),
    close: () => Promise.all([decisions.close(), others.close()]),
  });
  await limits.start(() => decisions.run('read', ['[]']));
  return limits;
};
