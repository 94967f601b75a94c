import * as abilities from '../capabilities/abilities-code.ts';
import * as continuing from '../continued-streams/continue-code.ts';
import * as hedges from '../hedge/hedge-code.ts';
import * as balances from '../load-balancing/balance-code.ts';
import * as mirrors from '../mirrors/mirror-code.ts';
import * as cacheStages from './cache/cache-stages.ts';
import * as breakers from './circuits/breaker-code.ts';
import * as checkStages from './guardrails/check-stages.ts';
import * as keys from './key-pools/key-stages.ts';
import type { StageCode } from './stage-code.ts';
import * as bounds from './within-bounds.ts';

/** All of the code, for callers that link plans without waiting. */
export const wholeStages: StageCode = {
  checks: () => checkStages,
  caches: () => cacheStages,
  balances: () => balances,
  bounds: () => bounds,
  continuing: () => continuing,
  keys: () => keys,
  abilities: () => abilities,
  hedges: () => hedges,
  breakers: () => breakers,
  mirrors: () => mirrors,
};
