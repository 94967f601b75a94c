import type { CacheClaim, CacheEntry, CacheKey, CacheRead, ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import { largestEntry } from '../../../plugins/sdk/cache/largest-entry.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import { FailurePauses } from '../../../plugins/sdk/time/failure-pauses.ts';
import { within } from '../../../plugins/sdk/time/within.ts';
import { isThenable, type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import type { Clock } from '../../ports/clock.ts';
import { ByteBudget } from './byte-budget.ts';
import type { CacheOutage } from './cache-outage.ts';
import { checkedEntry, checkedRead } from './checked-entry.ts';

/** A leaf's access to a cache. No method rejects, and every wait is limited. */
export interface GuardedCache {
  /** Also returns a miss if the cache fails or is slow. */
  read(key: CacheKey): MaybePromise<CacheRead>;
  /** Writes in the background, unless too much is being written already. `done` is called in any case. */
  write(key: CacheKey, entry: CacheEntry, how: { readonly ttlS: number; readonly done: () => void }): void;
  /** Also returns the lead if the cache fails, is slow, or is not shared. */
  claim(key: CacheKey): Promise<CacheClaim>;
  /** Waits for the answer that another process produces. Undefined if it produces none, or once the cancellation fires. */
  awaitEntry(claim: Extract<CacheClaim, { lead: false }>, scope: Cancellation): Promise<CacheEntry | undefined>;
  /** The largest entry that is worth writing, in bytes. */
  readonly entryBytes: number;
  /** The budget for the bytes of streams that are being recorded. */
  readonly recording: ByteBudget;
  close(): Promise<void>;
}

export interface GuardOptions {
  readonly clock: Clock;
  /** The longest wait for a read, in milliseconds. */
  readonly readMs: number;
  /** The maximum number of bytes in the cache. */
  readonly maxBytes: number;
  /** Notified of failed and successful calls. */
  readonly outage?: Pick<CacheOutage, 'failed' | 'succeeded'>;
}

/** How many reads or writes may run at once. Further reads are misses, and further writes are skipped. */
const maxReads = 10_000;
const maxWrites = 1000;
/** After this many consecutive failures of one tenant's calls, the cache is not used for this tenant for a while. */
const maxFailures = 3;
const pauseMs = 1000;
/** The longest wait for a claim, in milliseconds. */
const claimMs = 100;
/** How long a process that has stopped keeps the lead, in milliseconds. Requests of other processes wait for that long. */
const leaseMs = 3000;

/** How long to wait for a call, and for whom. */
interface Wait {
  readonly ms: number;
  readonly tenant: TenantId;
}

const miss: CacheRead = { kind: 'miss' };
const orMiss = (read: CacheRead | undefined): CacheRead => read ?? miss;
const noLease: CacheClaim = { lead: true, release: () => {} };

/** Wraps a plugin's cache, whose methods may throw, reject, or never settle. */
export const guardCache = (cache: ResponseCache, { clock, readMs, maxBytes, outage }: GuardOptions): GuardedCache => {
  const pauses = new FailurePauses({ failures: maxFailures, pauseMs, now: () => clock.monotonic() });
  const entryBytes = largestEntry(maxBytes);
  const writing = new ByteBudget(maxBytes);
  let reads = 0;
  let writes = 0;

  const succeeded = (tenant: TenantId): void => {
    pauses.succeeded(tenant);
    outage?.succeeded();
  };

  const failed = (tenant: TenantId, error: unknown): undefined => {
    pauses.failed(tenant);
    outage?.failed(error);
    return undefined;
  };

  /** A plugin that should return a value and returns none has failed, too. */
  const given = <Value>(value: Value, tenant: TenantId): Value => {
    if (value === undefined) failed(tenant, new Error('It did not answer in time.'));
    else succeeded(tenant);
    return value;
  };

  const awaited = <Value>({ ms, tenant }: Wait, promised: Promise<Value>): Promise<Value | undefined> => {
    reads += 1;
    const running = Promise.resolve(promised).finally(() => {
      reads -= 1;
    });
    return within(clock, ms, running).then(
      (value) => given(value, tenant),
      (error: unknown) => failed(tenant, error),
    );
  };

  /**
   * Returns the result of a call if it comes in time, or undefined if it fails or is late. A synchronous result needs no timer.
   */
  const asked = <Value>(wait: Wait, call: () => MaybePromise<Value>): MaybePromise<Value | undefined> => {
    const { tenant } = wait;
    if (reads >= maxReads || !pauses.enter(tenant)) return undefined;
    try {
      const value = call();
      return isThenable(value) ? awaited(wait, value) : given(value, tenant);
    } catch (error) {
      return failed(tenant, error);
    }
  };

  const written = async (key: CacheKey, entry: CacheEntry, ttlS: number): Promise<void> => {
    const bytes = entry.body.length;
    const { tenant } = key.request;
    if (writes >= maxWrites || bytes > entryBytes || !pauses.enter(tenant) || !writing.take(bytes)) return;
    writes += 1;
    try {
      await cache.write(key, entry, ttlS);
      succeeded(tenant);
    } catch (error) {
      failed(tenant, error);
    } finally {
      writes -= 1;
      writing.give(bytes);
    }
  };

  return {
    entryBytes,
    recording: new ByteBudget(maxBytes),
    read: (key) =>
      thenMaybe(
        asked({ ms: readMs, tenant: key.request.tenant }, () => {
          const read = cache.read(key);
          return isThenable(read) ? Promise.resolve(read).then(checkedRead) : checkedRead(read);
        }),
        orMiss,
      ),
    write: (key, entry, { ttlS, done }) => void written(key, entry, ttlS).finally(done),
    async claim(key) {
      if (cache.claim === undefined) return noLease;
      let isLate = false;
      const claim = await asked({ ms: claimMs, tenant: key.request.tenant }, async () => {
        const claimed = await cache.claim?.(key, leaseMs);
        // A lead that comes too late would never be released by anyone else.
        if (isLate && claimed?.lead === true) claimed.release();
        return claimed ?? noLease;
      });
      isLate = true;
      return claim ?? noLease;
    },
    awaitEntry: (claim, scope) =>
      new Promise((resolve) => {
        const stop = scope.onCancel(() => resolve(undefined));
        (async () => claim.entry(scope))()
          .then((entry) => resolve(entry && checkedEntry(entry)))
          .catch(() => resolve(undefined))
          .finally(stop);
      }),
    close: async () => cache.close?.(),
  };
};
