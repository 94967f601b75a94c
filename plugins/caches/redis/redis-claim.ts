import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { calledCommands } from '../../redis/redis-needs.ts';
import type { CacheClaim, CacheEntry } from '../../sdk/cache/cache.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { wait } from '../../sdk/time/wait.ts';

/** Only the holder of a lease may release or extend it: `GET` and the change are one atomic step. */
const releaseScript = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
const renewScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";

/** Returns the commands that claims run, in lower case. */
export const claimCommands = (): readonly string[] => [
  'eval',
  'exists',
  'set',
  ...calledCommands([releaseScript, renewScript]),
];

/** Milliseconds between two checks of another process's lease. Short at first, for fast answers. */
const firstLookMs = 20;
const longestLookMs = 250;

export interface ClaimOptions {
  readonly redis: Redis;
  readonly timers: Timers;
  readonly key: string;
  readonly leaseMs: number;
  /** Reads what the leader has stored. */
  readonly entry: () => Promise<CacheEntry | undefined>;
}

/** Extends a lease until it is released. A failed renewal is not repeated early; the lease then expires. */
const lead = ({ redis, timers, key, leaseMs }: ClaimOptions, token: string): CacheClaim => {
  let isOver = false;
  let stop = (): void => {};
  const renew = (): void => {
    if (isOver) return;
    redis.eval(renewScript, 1, key, token, leaseMs).catch(() => {});
    stop = timers.after(leaseMs / 3, renew);
  };
  stop = timers.after(leaseMs / 3, renew);
  return {
    lead: true,
    release() {
      if (isOver) return;
      isOver = true;
      stop();
      redis.eval(releaseScript, 1, key, token).catch(() => {});
    },
  };
};

/** Claims the lead for a key among all processes that share the Redis. Otherwise, provides the leader's answer. */
export const redisClaim = async (options: ClaimOptions): Promise<CacheClaim> => {
  const { redis, timers, key, leaseMs, entry } = options;
  const token = randomUUID();
  if ((await redis.set(key, token, 'PX', leaseMs, 'NX')) === 'OK') return lead(options, token);
  return {
    lead: false,
    async entry(cancellation) {
      for (let ms = firstLookMs; !cancellation.cancelled; ms = Math.min(ms * 2, longestLookMs)) {
        // The lease is checked first, because an answer is stored before its lease is released.
        const isLed = (await redis.exists(key)) === 1;
        const found = await entry();
        if (found !== undefined || !isLed) return found;
        await wait(ms, timers, cancellation);
      }
      return undefined;
    },
  };
};
