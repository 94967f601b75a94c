import type { Outcome } from '../../schema/http/status.ts';
import { isSuccess } from '../../schema/http/status.ts';
import {
  type CoolingOf,
  coolDown,
  firstKeyToRecover,
  hasWeight,
  keyFailure,
  usableWeights,
} from '../../schema/plan/circuits/key-cooling.ts';
import { poolName } from '../../schema/plan/hash-plan.ts';
import type { KeyPool, Target } from '../../schema/plan/plan.ts';
import { maxOtherKeys, retryAfterMs } from '../../schema/plan/schedule.ts';
import { isEnded, type RequestRun } from './run.ts';
import { scenarioEpochMs } from './scenario.ts';
import type { Steps } from './steps.ts';

interface KeyAnswer extends Outcome {
  readonly headers?: Readonly<Record<string, string>>;
  /** Present if it concerns only its key, because other keys are able. It reveals nothing about the upstream. */
  readonly isOfKey?: true;
}

const drawn = (weights: readonly number[], { world }: RequestRun): number => {
  const able = weights.flatMap((weight, key) => (weight > 0 ? [key] : []));
  const [only, ...others] = able;
  return only !== undefined && others.length === 0 ? only : world.choose(weights);
};

/**
 * Makes one attempt of a target. If the target has several keys and the answer concerns only its key, makes up to two more calls
 * immediately, with keys that are able and were not tried. The first key is drawn by weight among those that are not left out; if
 * all are left out, it is the one that is left out for the shortest time. `call` makes the call and records its event.
 */
export function* withKeys<Answer extends KeyAnswer>(
  target: Target,
  run: RequestRun,
  call: (key: number | undefined) => Steps<Answer>,
): Steps<Answer> {
  const { credential } = target;
  return yield* credential?.kind === 'keys' ? withPool({ target, pool: credential, run }, call) : call(undefined);
}

function* withPool<Answer extends KeyAnswer>(
  { target, pool, run }: { readonly target: Target; readonly pool: KeyPool; readonly run: RequestRun },
  call: (key: number) => Steps<Answer>,
): Steps<Answer> {
  const { world } = run;
  const name = JSON.stringify(poolName(target, pool));
  const nameOf = (key: number): string => `${name} ${JSON.stringify(pool.keys[key]?.apiKey)}`;
  const coolingOf: CoolingOf = (key) => world.coolings.get(nameOf(key));
  const tried = new Set<number>();
  const able = (but: ReadonlySet<number>): readonly number[] =>
    usableWeights(pool.keys, coolingOf, { now: world.now, tried: but });

  const first = able(tried);
  let key = hasWeight(first) ? drawn(first, run) : firstKeyToRecover(pool.keys, coolingOf);
  for (;;) {
    const beganAt = world.now;
    const answer = yield* call(key);
    tried.add(key);
    const failure = keyFailure(answer);
    const before = coolingOf(key);
    if (failure === undefined) {
      const works = answer.origin === 'upstream' && isSuccess(answer.status);
      if (works && before !== undefined && before.since <= beganAt) world.coolings.delete(nameOf(key));
      return answer;
    }
    const askedMs = retryAfterMs((header) => answer.headers?.[header], scenarioEpochMs + world.now);
    world.coolings.set(nameOf(key), coolDown(before, world.now, { failure, askedMs }));
    const next = able(tried);
    if (tried.size > maxOtherKeys || !hasWeight(next) || isEnded(run))
      return hasWeight(able(new Set())) ? { ...answer, isOfKey: true } : answer;
    key = drawn(next, run);
  }
}
