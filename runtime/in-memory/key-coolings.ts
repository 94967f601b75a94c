import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { coolDown, type FailedKey, type KeyCooling } from '../../schema/plan/circuits/key-cooling.ts';
import type { StateKey } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';
import { largestShare } from './largest-share.ts';

/**
 * The maximum numbers of pools with keys that are left out, of all tenants together, and of keys in one pool. Those that failed
 * longest ago are forgotten.
 */
const maxPools = 10_000;
const maxKeys = 100;

/** The keys of a tenant from which an attempt draws one. */
export interface KeyPool {
  readonly tenant: TenantId;
  readonly key: StateKey;
}

type Coolings = Map<string, KeyCooling>;

/**
 * The keys that providers currently refuse or limit, by pool of a tenant and by fingerprint of the key. They are known only in
 * this process; others find out from their own attempts. If there is no room, the tenant with the most pools loses one.
 */
export class KeyCoolings {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #max: number;
  /** By tenant. The pools whose keys failed longest ago are first. */
  readonly #tenants = new Map<TenantId, Map<StateKey, Coolings>>();
  #size = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, { max = maxPools }: { readonly max?: number } = {}) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Returns the keys that are left out, by fingerprint. Undefined if there are none. */
  of(pool: KeyPool): ReadonlyMap<string, KeyCooling> | undefined {
    return this.#find(pool);
  }

  failed(pool: KeyPool, key: string, failure: FailedKey): void {
    const keys: Coolings = new Map(this.of(pool));
    const cooling = coolDown(keys.get(key), this.#clock.monotonic(), failure);
    keys.delete(key);
    keys.set(key, cooling);
    const [oldest] = keys.keys();
    if (keys.size > maxKeys && oldest !== undefined) keys.delete(oldest);
    this.#set(pool, keys);
  }

  /** Called when an answer to a request sent at a time shows that the key works. */
  works(pool: KeyPool, key: string, sentAt: number): void {
    const keys = this.#find(pool);
    const cooling = keys?.get(key);
    if (keys === undefined || cooling === undefined || cooling.since > sentAt) return;
    keys.delete(key);
    if (keys.size === 0) this.#delete(pool);
  }

  #set(pool: KeyPool, keys: Coolings): void {
    this.#delete(pool);
    while (this.#size >= this.#max) this.#deleteOldest(largestShare(this.#tenants) ?? pool.tenant);
    const own = this.#tenants.get(pool.tenant) ?? new Map<StateKey, Coolings>();
    this.#tenants.set(pool.tenant, own);
    own.set(pool.key, keys);
    this.#size += 1;
  }

  #deleteOldest(tenant: TenantId): void {
    const [key] = this.#tenants.get(tenant)?.keys() ?? [];
    if (key !== undefined) this.#delete({ tenant, key });
  }

  #delete({ tenant, key }: KeyPool): void {
    const own = this.#tenants.get(tenant);
    if (own?.delete(key) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#tenants.delete(tenant);
  }

  /** Nearly always, no key of any pool is left out, and each request looks more than once. */
  #find({ tenant, key }: KeyPool): Coolings | undefined {
    return this.#size === 0 ? undefined : this.#tenants.get(tenant)?.get(key);
  }
}
