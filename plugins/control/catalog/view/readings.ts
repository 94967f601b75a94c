import type { Clock } from '../../../sdk/clock.ts';
import { isUnavailable } from '../../kernel/store/store-asker.ts';
import type { KnownTenant } from './tenant-reader.ts';

export interface ReadingsOptions {
  readonly clock: Clock;
  readonly read: (tenant: string) => Promise<KnownTenant>;
  readonly isCurrent: (tenant: KnownTenant) => boolean;
}

/** Reads tenants: each once for all who wait for it. */
export interface Readings {
  current(tenant: string): Promise<KnownTenant>;
  /** Reads a tenant, or returns what was known of it before if the store takes its time or is unavailable. */
  inTime(tenant: string, before: KnownTenant): KnownTenant | Promise<KnownTenant>;
}

/** As long as a request waits for a change to be read before it is served by what was before, in milliseconds. */
const patienceMs = 500;

export const createReadings = ({ clock, read, isCurrent }: ReadingsOptions): Readings => {
  const running = new Map<string, { readonly since: number; readonly result: Promise<KnownTenant> }>();

  const begin = (tenant: string) => {
    const result = read(tenant).finally(() => running.delete(tenant));
    const reading = { since: clock.monotonic(), result };
    running.set(tenant, reading);
    return reading;
  };

  const join = (tenant: string): Promise<KnownTenant> => (running.get(tenant) ?? begin(tenant)).result;

  const current = async (tenant: string): Promise<KnownTenant> => {
    const first = await join(tenant);
    // One that had begun before may have missed a change.
    return isCurrent(first) ? first : join(tenant);
  };

  return {
    current,
    inTime(tenant, before) {
      const since = running.get(tenant)?.since ?? clock.monotonic();
      // Others have waited already.
      if (clock.monotonic() - since >= patienceMs) return before;
      const { promise, resolve, reject } = Promise.withResolvers<KnownTenant>();
      const stop = clock.after(patienceMs, () => resolve(before));
      current(tenant)
        .then(resolve, (error) => (isUnavailable(error) ? resolve(before) : reject(error)))
        .finally(stop);
      return promise;
    },
  };
};
