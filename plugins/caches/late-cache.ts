import type { ResponseCache } from '../sdk/cache.ts';

export interface LateCacheOptions {
  /** Loads the code of the cache, and makes it. After a failure it is asked again. */
  readonly load: () => Promise<ResponseCache>;
  /** Whether the cache has `claim`. */
  readonly claims: boolean;
}

/** A cache whose code begins to load now, when a plan with it is linked. Whoever asks before it is there waits for it. */
export const lateCache = ({ load, claims }: LateCacheOptions): ResponseCache => {
  let cache: ResponseCache | undefined;
  let making: Promise<ResponseCache> | undefined;
  const make = async (): Promise<ResponseCache> => {
    try {
      cache = await load();
      return cache;
    } catch (error) {
      making = undefined;
      throw error;
    }
  };
  const made = (): Promise<ResponseCache> => {
    making ??= make();
    return making;
  };
  // Who asks while it fails is told so.
  made().catch(() => {});

  const claim: NonNullable<ResponseCache['claim']> = async (key, leaseMs) => {
    const ready = await made();
    if (ready.claim === undefined) throw new Error('The cache has no claims.');
    return ready.claim(key, leaseMs);
  };
  return {
    read: (key) => (cache === undefined ? made().then((ready) => ready.read(key)) : cache.read(key)),
    write: async (key, entry, ttlS) => (await made()).write(key, entry, ttlS),
    ...(claims ? { claim } : {}),
    async close() {
      const ready = await making?.catch(() => undefined);
      await ready?.close?.();
    },
  };
};
