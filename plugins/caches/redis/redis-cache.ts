import type { Redis } from 'ioredis';
import { openRedis } from '../../redis/open-redis.ts';
import type { RedisNeeds } from '../../redis/redis-needs.ts';
import { findRedisReason } from '../../redis/redis-reasons.ts';
import type { CacheEntry, ResponseCache } from '../../sdk/cache/cache.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { fromEntryBytes, toEntryBytes } from './entry-bytes.ts';
import { claimCommands, redisClaim } from './redis-claim.ts';

const entryKey = (id: string): string => `gatewright:cache:1:${id}`;

const leaseKey = (id: string): string => `gatewright:lease:1:${id}`;

/** Returns the rights that the user of the gateway needs in the Redis of the cache. */
export const neededInCache = (): RedisNeeds => ({
  commands: [...new Set(['get', 'set', ...claimCommands()])].sort(),
  keys: [entryKey('doctor'), leaseKey('doctor')],
});

/** The maximum TTL of an entry in seconds: about 68 years, which Redis accepts. */
const longestTtlS = 2 ** 31 - 1;

/**
 * Rejects with what to do, if Redis says why it refuses a command. Its own text may contain what was sent, such as a part of an
 * answer.
 */
const explain = (error: unknown): never => {
  const reason = findRedisReason(error);
  if (reason === undefined) throw error;
  throw new Error(`Redis cannot be used (${reason.what}). ${reason.remedy}.`, { cause: error });
};

/** Caches answers in a Redis that all gateways with the same URL share. */
export const redisCache = (url: string, timers: Timers): ResponseCache => {
  let opened: Promise<Redis> | undefined;
  let failure: unknown;
  const connect = async (): Promise<Redis> => {
    const redis = await openRedis(url);
    redis.on('error', (error) => {
      failure = error;
    });
    redis.on('ready', () => {
      failure = undefined;
    });
    return redis;
  };
  /** A failed load is not remembered, so that the next command tries again. */
  const client = async (): Promise<Redis> => {
    opened ??= connect();
    let redis: Redis;
    try {
      redis = await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
    // The client itself would not report why there is no connection.
    if (redis.status !== 'ready') explain(failure ?? new Error('There is no connection to Redis yet.'));
    return redis;
  };
  // Connects early, so that the first request finds a connection.
  client().catch(() => {});

  const entryAt = async (redis: Redis, id: string) => {
    const bytes = await redis.getBuffer(entryKey(id)).catch(explain);
    return bytes === null ? undefined : fromEntryBytes(bytes);
  };

  return {
    async read({ id }) {
      const entry = await entryAt(await client(), id);
      return entry === undefined ? { kind: 'miss' } : { kind: 'hit', entry };
    },
    async write({ id }, entry, ttlS) {
      const redis = await client();
      await redis.set(entryKey(id), toEntryBytes(entry), 'EX', Math.min(Math.ceil(ttlS), longestTtlS)).catch(explain);
    },
    async claim({ id, request }, leaseMs) {
      const redis = await client();
      const entry = async (): Promise<CacheEntry | undefined> => {
        const found = await entryAt(redis, id);
        // An answer that is too old is not the leader's. The leader replaces it.
        return found !== undefined && request.isFresh?.(found) === false ? undefined : found;
      };
      return redisClaim({ redis, timers, leaseMs, key: leaseKey(id), entry }).catch(explain);
    },
    async close() {
      (await opened)?.disconnect();
    },
  };
};
