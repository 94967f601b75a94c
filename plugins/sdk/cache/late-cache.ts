import { LoadedLate } from '../loading/loaded-late.ts';
import type { ResponseCache } from './cache.ts';

export interface LateCacheOptions {
  /** Loads the code of the cache and creates it. Called again after a failure. */
  readonly load: () => Promise<ResponseCache>;
  /** Whether the cache has `claim`. */
  readonly claims: boolean;
}

/** Creates a cache whose code starts to load immediately, when a plan with it is linked. Calls before that wait for it. */
export const lateCache = ({ load, claims }: LateCacheOptions): ResponseCache => {
  const late = new LoadedLate(load);

  const claim: NonNullable<ResponseCache['claim']> = async (key, leaseMs) => {
    const ready = await late.ready();
    if (ready.claim === undefined) throw new Error('The cache has no claims.');
    return ready.claim(key, leaseMs);
  };
  return {
    read: (key) => (late.value === undefined ? late.ready().then((ready) => ready.read(key)) : late.value.read(key)),
    write: async (key, entry, ttlS) => (await late.ready()).write(key, entry, ttlS),
    ...(claims ? { claim } : {}),
    async close() {
      const ready = late.hasBegun ? await late.ready().catch(() => undefined) : undefined;
      await ready?.close?.();
    },
  };
};
