import { type CacheDefinition, defineCache } from '../sdk/cache/cache.ts';
import { lateCache } from '../sdk/cache/late-cache.ts';
import { memoryCache } from './memory-cache.ts';

/** The same answer to the same request, kept in this process's memory, or in a Redis that several processes share. */
export const simple: CacheDefinition = defineCache({
  mode: 'simple',
  create: ({ url, ...options }, { timers }) =>
    url === undefined
      ? memoryCache(options, timers)
      : lateCache({ claims: true, load: async () => (await import('./redis/redis-cache.ts')).redisCache(url, timers) }),
});
