import type { Clock } from '../../../sdk/clock.ts';
import { isUnavailable } from '../../kernel/store/store-asker.ts';
import type { KnownTenant } from './tenant-reader.ts';

export interface ReadingsOptions {
  readonly clock: Clock;
  readonly read: (tenant: string) => Promise<KnownTenant>;
  readonly isCurrent: (tenant: KnownTenant) => boolean;
}

/** The maximum time that a request waits for a change to be read before it uses the previous state, in milliseconds. */
const patienceMs = 500;

/** Reads tenants. Concurrent requests for a tenant share one read. */
export class Readings {
  readonly #options: ReadingsOptions;
  readonly #running = new Map<string, { readonly since: number; readonly result: Promise<KnownTenant> }>();

  constructor(options: ReadingsOptions) {
    this.#options = options;
  }

  async current(tenant: string): Promise<KnownTenant> {
    const first = await this.#join(tenant);
    // A read that had begun before may have missed a change.
    return this.#options.isCurrent(first) ? first : this.#join(tenant);
  }

  /** Reads a tenant. If the store is slow or unavailable, returns the previous state. */
  inTime(tenant: string, before: KnownTenant): KnownTenant | Promise<KnownTenant> {
    const { clock } = this.#options;
    const since = this.#running.get(tenant)?.since ?? clock.monotonic();
    // Other requests have waited already.
    if (clock.monotonic() - since >= patienceMs) return before;
    const { promise, resolve, reject } = Promise.withResolvers<KnownTenant>();
    const stop = clock.after(patienceMs, () => resolve(before));
    this.current(tenant)
      .then(resolve, (error) => (isUnavailable(error) ? resolve(before) : reject(error)))
      .finally(stop);
    return promise;
  }

  #join(tenant: string): Promise<KnownTenant> {
    const running = this.#running.get(tenant);
    if (running !== undefined) return running.result;
    const result = this.#options.read(tenant).finally(() => this.#running.delete(tenant));
    this.#running.set(tenant, { since: this.#options.clock.monotonic(), result });
    return result;
  }
}
