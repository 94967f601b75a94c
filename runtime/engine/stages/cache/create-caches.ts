import type {
  CacheDefinition,
  CacheOptions,
  CacheServices,
  Embed,
  ResponseCache,
  SemanticOptions,
} from '../../../../plugins/sdk/cache/cache.ts';
import { createdCache } from '../../../../plugins/sdk/cache/created-cache.ts';
import { Deadlines } from '../../../async/deadlines.ts';
import type { LinkPorts } from '../../call/context.ts';
import { checkHttp } from '../../guardrail-checks/check-http.ts';
import { CacheOutage } from '../../plugin-caches/cache-outage.ts';
import type { CacheSettings, Caches, SemanticSettings, SharedCache } from '../../plugin-caches/caches.ts';
import { guardCache } from '../../plugin-caches/guarded-cache.ts';
import { SharedCalls } from '../../plugin-caches/shared-calls.ts';
import type { Names } from '../../plugins/names.ts';

const defaultMaxBytes = 64 * 1024 * 1024;
const defaultReadMs = 100;
const semanticDefaults = { threshold: 0.95, timeoutMs: 300, maxBytes: defaultMaxBytes };

const semanticOptions = ({ plan: _, ...options }: SemanticSettings): SemanticOptions => ({
  ...semanticDefaults,
  ...options,
});

export interface CachesOptions {
  readonly settings: CacheSettings;
  readonly names: Pick<Names, 'cache'>;
  readonly ports: LinkPorts;
  /** Creates vectors. Absent if no provider does. */
  readonly embed?: Embed;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** Opens each cache when a plan first needs it. */
export const createCaches = ({ settings, names, ports, embed, log }: CachesOptions): Caches => {
  const { clock } = ports;
  const { maxBytes = defaultMaxBytes, url, staleIfErrorS = 0, semantic } = settings;
  const options: CacheOptions = {
    maxBytes,
    ...(url === undefined ? {} : { url }),
    ...(semantic === undefined ? {} : { semantic: semanticOptions(semantic) }),
  };
  const opened = new Map<string, ResponseCache>();
  const shared = new Map<string, SharedCache>();

  const open = (definition: CacheDefinition): ResponseCache => {
    const known = opened.get(definition.mode);
    if (known !== undefined) return known;
    const cache = createdCache(definition, options, services);
    opened.set(definition.mode, cache);
    return cache;
  };

  const services: CacheServices = {
    http: checkHttp({ ports, deadlines: new Deadlines(clock), callerPlan: false }),
    timers: clock,
    ...(settings.shared === undefined ? {} : { shared: settings.shared }),
    ...(settings.sharedVectors === undefined ? {} : { sharedVectors: settings.sharedVectors }),
    ...(embed === undefined ? {} : { embed }),
    cache(mode) {
      const definition = names.cache(mode);
      return definition === undefined ? undefined : open(definition);
    },
  };

  return {
    staleIfErrorS,
    get(mode) {
      const known = shared.get(mode);
      const definition = names.cache(mode);
      if (known !== undefined || definition === undefined) return known;
      const { readMs = defaultReadMs } = definition;
      const advice = url === undefined ? '' : 'Check "cache.url" in the gateway file.';
      const outage = new CacheOutage({ clock, name: `The cache ${JSON.stringify(mode)}`, advice, log });
      const guarded = guardCache(open(definition), { clock, readMs, maxBytes, outage });
      const made = { cache: guarded, calls: new SharedCalls() };
      shared.set(mode, made);
      return made;
    },
    async close() {
      const closing = [...opened.values()].map(async (cache) => cache.close?.());
      opened.clear();
      shared.clear();
      await Promise.allSettled(closing);
    },
  };
};
