import { type CacheDefinition, defineCache } from '../sdk/cache/cache.ts';
import { lateCache } from '../sdk/cache/late-cache.ts';
import { memoryCache } from './memory-cache.ts';

/** Returns the stored answer to an identical request, from the gateway's memory or from a Redis that several gateways share. */
export const simple: CacheDefinition = defineCache({
  mode: 'simple',
  create: ({ url, ...options }, { timers, shared }) =>
    url === undefined
      ? (shared ?? memoryCache(options, timers))
      : lateCache({ claims: true, load: async () => (await import('./redis/redis-cache.ts')).redisCache(url, timers) }),
});
