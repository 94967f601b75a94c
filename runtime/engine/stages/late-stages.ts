import { CodeNotLoaded } from '../../../plugins/sdk/loading/when-loaded.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type * as AbilitiesCode from '../capabilities/abilities-code.ts';
import type * as ContinueCode from '../continued-streams/continue-code.ts';
import type * as HedgeCode from '../hedge/hedge-code.ts';
import type * as BalanceCode from '../load-balancing/balance-code.ts';
import type * as MirrorCode from '../mirrors/mirror-code.ts';
import type * as CacheStages from './cache/cache-stages.ts';
import type * as BreakerCode from './circuits/breaker-code.ts';
import type * as CheckStages from './guardrails/check-stages.ts';
import type * as KeyStages from './key-pools/key-stages.ts';
import type { StageCode } from './stage-code.ts';
import type * as Bounds from './within-bounds.ts';

export interface LateStageLoaders {
  readonly checks?: () => Promise<typeof CheckStages>;
  readonly caches?: () => Promise<typeof CacheStages>;
  readonly balances?: () => Promise<typeof BalanceCode>;
  readonly bounds?: () => Promise<typeof Bounds>;
  readonly continuing?: () => Promise<typeof ContinueCode>;
  readonly keys?: () => Promise<typeof KeyStages>;
  readonly abilities?: () => Promise<typeof AbilitiesCode>;
  readonly hedges?: () => Promise<typeof HedgeCode>;
  readonly breakers?: () => Promise<typeof BreakerCode>;
  readonly mirrors?: () => Promise<typeof MirrorCode>;
}

const late = <Code>(what: string, load: () => Promise<Code>): (() => Code) => {
  let loaded: Code | undefined;
  const ready = async (): Promise<void> => {
    loaded = await load().catch((error: unknown) => {
      throw new Error(`The code of ${what} cannot be loaded: ${errorText(error)}`, { cause: error });
    });
  };
  return () => {
    if (loaded === undefined) throw new CodeNotLoaded(what, ready);
    return loaded;
  };
};

/** Loads each part when the first plan that needs it is linked. `whenLoaded` waits for that. */
export const lateStages = ({
  checks = () => import('./guardrails/check-stages.ts'),
  caches = () => import('./cache/cache-stages.ts'),
  balances = () => import('../load-balancing/balance-code.ts'),
  bounds = () => import('./within-bounds.ts'),
  continuing = () => import('../continued-streams/continue-code.ts'),
  keys = () => import('./key-pools/key-stages.ts'),
  abilities = () => import('../capabilities/abilities-code.ts'),
  hedges = () => import('../hedge/hedge-code.ts'),
  breakers = () => import('./circuits/breaker-code.ts'),
  mirrors = () => import('../mirrors/mirror-code.ts'),
}: LateStageLoaders = {}): StageCode => ({
  checks: late('plans with checks', checks),
  caches: late('plans with caches', caches),
  balances: late('plans with choosers or sticky keys', balances),
  bounds: late('requests with bounds', bounds),
  continuing: late('plans with continued streams', continuing),
  keys: late('targets with several keys', keys),
  abilities: late('plans that require abilities', abilities),
  hedges: late('plans with hedges', hedges),
  breakers: late('plans with circuit breakers', breakers),
  mirrors: late('plans with mirrors', mirrors),
});
