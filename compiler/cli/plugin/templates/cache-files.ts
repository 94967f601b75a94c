import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A cache that replaces the gateway's own for the mode `simple`. */
export const cacheFiles = ({ name }: NewPlugin): KindFiles => ({
  source: `import { type CacheDefinition, type CacheEntry, defineCache, type ResponseCache, type Timers } from 'gatewright/sdk';

interface Kept {
  readonly entry: CacheEntry;
  readonly until: number;
}

/** Stores answers in memory. Replace the map by a store of your own: every method may be slow, or fail. */
const openCache = (maxBytes: number, timers: Timers): ResponseCache => {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (id: string): void => {
    bytes -= kept.get(id)?.entry.body.length ?? 0;
    kept.delete(id);
  };
  return {
    async read({ id }) {
      const found = kept.get(id);
      if (found !== undefined && found.until > timers.wall()) return { kind: 'hit', entry: found.entry };
      drop(id);
      return { kind: 'miss' };
    },
    async write({ id }, entry, ttlS) {
      drop(id);
      // The bytes are copied, because the caller may reuse them.
      kept.set(id, { entry: { ...entry, body: Uint8Array.from(entry.body) }, until: timers.wall() + ttlS * 1000 });
      bytes += entry.body.length;
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
};

/** Stores answers for the mode \`simple\`, instead of the cache that comes with the gateway. */
export const cache: CacheDefinition = defineCache({
  mode: 'simple',
  create: ({ maxBytes }, { timers }) => openCache(maxBytes, timers),
});
`,
  test: `import { test } from 'node:test';
import { createVirtualClock, testCache } from 'gatewright/testing';
import { cache } from './cache.js';

test('the cache keeps its contract', () => {
  const timers = createVirtualClock();
  const http = { send: () => Promise.reject(new Error('It calls nobody.')) };
  const open = () => cache.create({ maxBytes: 1 << 20 }, { http, timers, cache: () => undefined });
  return testCache('${name}', { open, pass: (seconds) => timers.advance(seconds * 1000) });
});
`,
  index: 'caches: [cache]',
  use: {
    text: 'Configs use it by its mode, in the place of the cache that comes with the gateway:',
    json: { provider: 'openai', cache: { mode: 'simple', max_age: 3600 } },
  },
});
