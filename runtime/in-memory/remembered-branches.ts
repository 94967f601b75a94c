import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import type { Clock } from '../ports/clock.ts';
import { largestShare } from './largest-share.ts';

/** For all tenants together. */
const maxKeys = 100_000;

interface Remembered {
  readonly branch: string;
  readonly until: number;
}

/**
 * The branches of keys that are not at the branch that their weights determine. If there is no room, the oldest keys of the
 * tenant with the most are evicted first. A key that is forgotten goes where its weights determine.
 */
export class RememberedBranches {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #max: number;
  /** By tenant. The least recently used are first. */
  readonly #keys = new Map<TenantId, Map<string, Remembered>>();
  #size = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, { max = maxKeys }: { readonly max?: number } = {}) {
    this.#clock = clock;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether anything is remembered of a tenant's keys. */
  has(tenant: TenantId): boolean {
    return this.#keys.has(tenant);
  }

  recall(tenant: TenantId, key: string): string | undefined {
    const found = this.#keys.get(tenant)?.get(key);
    return found === undefined || found.until <= this.#clock.monotonic() ? undefined : found.branch;
  }

  remember(
    tenant: TenantId,
    key: string,
    { branch, ttlMs }: { readonly branch: string; readonly ttlMs: number },
  ): void {
    this.forget(tenant, key);
    while (this.#size >= this.#max) this.#forgetOldest(largestShare(this.#keys) ?? tenant);
    const own = this.#keys.get(tenant) ?? new Map<string, Remembered>();
    this.#keys.set(tenant, own);
    own.set(key, { branch, until: this.#clock.monotonic() + ttlMs });
    this.#size += 1;
  }

  forget(tenant: TenantId, key: string): void {
    const own = this.#keys.get(tenant);
    if (own?.delete(key) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#keys.delete(tenant);
  }

  #forgetOldest(tenant: TenantId): void {
    const [oldest] = this.#keys.get(tenant)?.keys() ?? [];
    if (oldest !== undefined) this.forget(tenant, oldest);
  }
}
