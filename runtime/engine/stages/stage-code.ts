import type * as Bounds from './bounds/within-bounds.ts';
import type * as CacheStages from './cache/cache-stages.ts';
import type * as CheckStages from './checks/check-stages.ts';

/** The code of stages, and of bounds of requests, that most plans do not have. Asking for what is not there yet throws `CodeNotLoaded`. */
export interface StageCode {
  readonly checks: () => typeof CheckStages;
  readonly caches: () => typeof CacheStages;
  readonly bounds: () => typeof Bounds;
}
