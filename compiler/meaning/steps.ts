import type { Instant } from '../../schema/plan/circuits/circuit.ts';
import { passTime } from './probing.ts';
import type { RequestRun, World } from './run.ts';

/**
 * A part of a run that takes time. It gives the moment that it waits for, and goes on when that has come, or earlier if its run
 * is cut. So two branches can run at the same time.
 */
export type Steps<Result> = Generator<Instant, Result, void>;

/** Waits for a moment; what has come already is not waited for. */
export function* waitUntil(moment: Instant, { world }: RequestRun): Steps<void> {
  if (moment > world.now) yield moment;
}

/** Runs alone: time passes to whatever is waited for. */
export const runSteps = <Result>(steps: Steps<Result>, world: World): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    passTime(world, step.value);
  }
};
