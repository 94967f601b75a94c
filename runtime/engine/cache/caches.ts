import type { CacheOptions, ResponseCache, SemanticOptions } from '../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../plugins/sdk/cache/vectors.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { GuardedCache } from './guarded-cache.ts';
import type { SharedCalls } from './shared-calls.ts';

/** How questions in other words are found. */
export interface SemanticSettings extends Partial<SemanticOptions> {
  readonly model: string;
  /** Loads the plan whose provider makes vectors; called when one is first needed, and again after it failed. */
  readonly plan: () => Promise<RoutingPlan>;
}

/** How a gateway caches. */
export interface CacheSettings extends Partial<Omit<CacheOptions, 'semantic'>> {
  readonly semantic?: SemanticSettings;
  /** Where one process keeps answers in memory for all workers; absent where the gateway is one process. */
  readonly shared?: ResponseCache | undefined;
  /** Where one process keeps vectors in memory for all workers; absent where the gateway is one process. */
  readonly sharedVectors?: Vectors | undefined;
  /** How long after its time an answer may stand in for one that failed, in seconds; 0 if absent. */
  readonly staleIfErrorS?: number;
}

/** A mode's cache, and the calls whose answers several requests wait for. */
export interface SharedCache {
  readonly cache: GuardedCache;
  readonly calls: SharedCalls;
}

/** The caches of all plans of a gateway, by mode. */
export interface Caches {
  readonly staleIfErrorS: number;
  /** Undefined if no plugin provides the mode. */
  get(mode: string): SharedCache | undefined;
  /** Closes those that were opened. Never rejects. */
  close(): Promise<void>;
}
