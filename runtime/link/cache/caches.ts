import type { CacheOptions } from '../../../plugins/sdk/cache.ts';
import type { Flights } from './flights.ts';
import type { GuardedCache } from './guarded-cache.ts';

/** How a gateway caches. */
export interface CacheSettings extends Partial<CacheOptions> {
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
