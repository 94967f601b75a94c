import { LRUCache } from 'lru-cache';
import type { Upstream } from '../../../plugins/sdk/http/http.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { createExpiringValues, type ExpiringValues } from '../../async/expiring-values.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PreparedTarget } from './prepared-target.ts';

/** Shared by all plans of a gateway: a bounded cache of targets from requests, and the in-process upstreams. */
export interface PreparedTargets {
  /** Returns a key prefix that no other target has, not even the same target of the same plan when linked again. */
  ownPrefix(): string;
  /** `key` contains everything that the target is built from, including secrets. It stays in memory and is never shown. */
  get(key: string, prepare: () => PreparedTarget): PreparedTarget;
  /** Returns the provider's own upstream if it answers in process. Created once. */
  inProcess(provider: Provider): Upstream | undefined;
  /** The values that providers' `authorize` functions store, such as tokens. */
  readonly tokens: ExpiringValues;
}

const capacity = 2000;
/** The total size in bytes. The keys contain the secrets of whole configs. */
const maxBytes = 16 * 1024 * 1024;
/** The approximate size of a prepared target without its key. */
const targetBytes = 3000;

export const createPreparedTargets = (clock: Clock): PreparedTargets => {
  const targets = new LRUCache<string, PreparedTarget>({
    max: capacity,
    maxSize: maxBytes,
    sizeCalculation: ({ pool }, key) => targetBytes * (pool?.keys.keys.length ?? 1) + key.length * 2,
  });
  const upstreams = new Map<Provider, Upstream>();
  let prefixes = 0;
  return {
    tokens: createExpiringValues(),
    ownPrefix() {
      prefixes += 1;
      return `${prefixes} `;
    },
    get(key, prepare) {
      const known = targets.get(key);
      if (known !== undefined) return known;
      const target = prepare();
      targets.set(key, target);
      return target;
    },
    inProcess(provider) {
      const known = upstreams.get(provider);
      if (known !== undefined || provider.inProcess === undefined) return known;
      const upstream = provider.inProcess(clock);
      upstreams.set(provider, upstream);
      return upstream;
    },
  };
};
