import type * as BalanceCode from '../balance/balance-code.ts';
import type * as CacheStages from './cache/cache-stages.ts';
import type * as CheckStages from './checks/check-stages.ts';

/** The code of stages, and of ways to balance, that most plans do not have. Asking for what is not there yet throws `CodeNotLoaded`. */
export interface StageCode {
  readonly checks: () => typeof CheckStages;
  readonly caches: () => typeof CacheStages;
  readonly balances: () => typeof BalanceCode;
}
