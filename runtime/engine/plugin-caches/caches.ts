import type { CacheOptions, ResponseCache, SemanticOptions } from '../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../plugins/sdk/cache/vectors.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { GuardedCache } from './guarded-cache.ts';
import type { SharedCalls } from './shared-calls.ts';

/** How similar questions are found. */
export interface SemanticSettings extends Partial<SemanticOptions> {
  readonly model: string;
  /** Loads the plan whose provider creates vectors. Called when one is first needed, and again after it failed. */
  readonly plan: () => Promise<RoutingPlan>;
}

/** How a gateway caches. */
export interface CacheSettings extends Partial<Omit<CacheOptions, 'semantic'>> {
  readonly semantic?: SemanticSettings;
  /** One process's in-memory cache for all workers. Absent if the gateway is a single process. */
  readonly shared?: ResponseCache | undefined;
  /** One process's in-memory vectors for all workers. Absent if the gateway is a single process. */
  readonly sharedVectors?: Vectors | undefined;
  /** How many seconds after it expired an answer may replace one that failed. Default: 0. */
  readonly staleIfErrorS?: number;
}

/** A mode's cache, and the calls that several requests wait for. */
export interface SharedCache {
  readonly cache: GuardedCache;
  readonly calls: SharedCalls;
}

/** The caches of all plans of a gateway, by mode. */
export interface Caches {
  readonly staleIfErrorS: number;
  /** Returns undefined if no plugin provides the mode. */
  get(mode: string): SharedCache | undefined;
  /** Closes the caches that were opened. Never rejects. */
  close(): Promise<void>;
}
