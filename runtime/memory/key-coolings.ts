import { LRUCache } from 'lru-cache';
import { coolDown, type FailedKey, type KeyCooling } from '../../schema/plan/circuits/key-cooling.ts';
import type { StateKey } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';

/** Pools of tenants whose keys are left out, and keys of one pool. Those that failed longest ago are forgotten. */
const maxPools = 10_000;
const maxKeys = 100;

/**
 * The keys that providers refuse or limit for now, by pool of a tenant and by the fingerprint of the key. In this process alone: another
 * one finds out by its own attempts.
 */
export class KeyCoolings {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pools = new LRUCache<StateKey, Map<string, KeyCooling>>({ max: maxPools });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** By the fingerprints of keys; undefined where all of them are able. */
  of(pool: StateKey): ReadonlyMap<string, KeyCooling> | undefined {
    return this.#find(pool);
  }

  failed(pool: StateKey, key: string, failure: FailedKey): void {
    const keys = this.#pools.get(pool) ?? new Map<string, KeyCooling>();
    const cooling = coolDown(keys.get(key), this.#clock.monotonic(), failure);
    keys.delete(key);
    keys.set(key, cooling);
    const [oldest] = keys.keys();
    if (keys.size > maxKeys && oldest !== undefined) keys.delete(oldest);
    this.#pools.set(pool, keys);
  }

  /** An answer to what was sent at a time says that the key works. */
  works(pool: StateKey, key: string, sentAt: number): void {
    const keys = this.#find(pool);
    const cooling = keys?.get(key);
    if (keys === undefined || cooling === undefined || cooling.since > sentAt) return;
    keys.delete(key);
    if (keys.size === 0) this.#pools.delete(pool);
  }

  /** Nearly always, no key of any pool is left out, and each request asks more than once. */
  #find(pool: StateKey): Map<string, KeyCooling> | undefined {
    return this.#pools.size === 0 ? undefined : this.#pools.get(pool);
  }
}
