import type {
  CacheDefinition,
  CacheOptions,
  CacheServices,
  Embed,
  ResponseCache,
  SemanticOptions,
} from '../../../plugins/sdk/cache.ts';
import type { RoutingPlan } from '../../../schema/plan.ts';
import { Deadlines } from '../attempt/deadlines.ts';
import { checkHttp } from '../checks/check-http.ts';
import type { LinkPorts } from '../context.ts';
import type { Names } from '../names.ts';
import { Flights } from './flights.ts';
import { type GuardedCache, guardCache } from './guarded-cache.ts';

/** How questions in other words are found. */
export interface SemanticSettings extends Partial<SemanticOptions> {
  readonly model: string;
  /** Loads the plan whose provider makes vectors; called when one is first needed, and again after it failed. */
  readonly plan: () => Promise<RoutingPlan>;
}

/** How a gateway caches. */
export interface CacheSettings extends Partial<Omit<CacheOptions, 'semantic'>> {
  readonly semantic?: SemanticSettings;
  /** How long after its time an answer may stand in for one that failed, in seconds; 0 if absent. */
  readonly staleIfErrorS?: number;
}

/** A mode's cache, and the calls whose answers several requests wait for. */
export interface SharedCache {
  readonly cache: GuardedCache;
  readonly flights: Flights;
}

/** The caches of all plans of a gateway, by mode. */
export interface Caches {
  readonly staleIfErrorS: number;
  /** Undefined if no plugin provides the mode. */
  get(mode: string): SharedCache | undefined;
  /** Closes those that were opened. Never rejects. */
  close(): Promise<void>;
}

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
  /** Makes vectors; absent if no provider does. */
  readonly embed?: Embed;
}

/** Opens each cache when a plan first needs it. */
export const createCaches = ({ settings, names, ports, embed }: CachesOptions): Caches => {
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
    const cache = definition.create(options, services);
    opened.set(definition.mode, cache);
    return cache;
  };

  const services: CacheServices = {
    http: checkHttp({ ports, deadlines: new Deadlines(clock), callerPlan: false }),
    timers: clock,
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
      const made = { cache: guardCache(open(definition), { clock, readMs, maxBytes }), flights: new Flights() };
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
