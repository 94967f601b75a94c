import type * as AbilitiesCode from '../capabilities/abilities-code.ts';
import type * as ContinueCode from '../continued-streams/continue-code.ts';
import type * as HedgeCode from '../hedge/hedge-code.ts';
import type * as BalanceCode from '../load-balancing/balance-code.ts';
import type * as MirrorCode from '../mirrors/mirror-code.ts';
import type * as CacheStages from './cache/cache-stages.ts';
import type * as BreakerCode from './circuits/breaker-code.ts';
import type * as CheckStages from './guardrails/check-stages.ts';
import type * as KeyStages from './key-pools/key-stages.ts';
import type * as Bounds from './within-bounds.ts';

/**
 * The code that most plans do not need: stages, choosers, request limits, hedges, mirrors, continued streams and key pools.
 * Accessing code that is not loaded yet throws `CodeNotLoaded`.
 */
export interface StageCode {
  readonly checks: () => typeof CheckStages;
  readonly caches: () => typeof CacheStages;
  readonly balances: () => typeof BalanceCode;
  readonly bounds: () => typeof Bounds;
  readonly continuing: () => typeof ContinueCode;
  readonly abilities: () => typeof AbilitiesCode;
  readonly hedges: () => typeof HedgeCode;
  readonly breakers: () => typeof BreakerCode;
  readonly keys: () => typeof KeyStages;
  readonly mirrors: () => typeof MirrorCode;
}
