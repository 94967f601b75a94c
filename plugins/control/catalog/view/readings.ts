import type { Clock } from '../../../sdk/clock.ts';
import { isUnavailable } from '../../kernel/store/store-asker.ts';
import type { KnownTenant } from './tenant-reader.ts';

export interface ReadingsOptions {
  readonly clock: Clock;
  readonly read: (tenant: string) => Promise<KnownTenant>;
  readonly isCurrent: (tenant: KnownTenant) => boolean;
}

/** The longest that a request waits for a change to be read before it is served by what was before, in milliseconds. */
const patienceMs = 500;

/** Reads tenants: each once for all who wait for it. */
export class Readings {
  readonly #options: ReadingsOptions;
  readonly #running = new Map<string, { readonly since: number; readonly result: Promise<KnownTenant> }>();

  constructor(options: ReadingsOptions) {
    this.#options = options;
  }

  async current(tenant: string): Promise<KnownTenant> {
    const first = await this.#join(tenant);
    // One that had begun before may have missed a change.
    return this.#options.isCurrent(first) ? first : this.#join(tenant);
  }

  /** Reads a tenant, or returns what was known of it before if the store takes its time or is unavailable. */
  inTime(tenant: string, before: KnownTenant): KnownTenant | Promise<KnownTenant> {
    const { clock } = this.#options;
    const since = this.#running.get(tenant)?.since ?? clock.monotonic();
    // Others have waited already.
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
