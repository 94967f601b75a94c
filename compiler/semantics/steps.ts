import type { Instant } from '../../schema/plan/circuits/circuit.ts';
import { passTime } from './probing.ts';
import type { RequestRun, World } from './run.ts';

/**
 * A part of a run that takes time. It yields the time that it waits for, and continues at that time, or earlier if its run is
 * cut. This lets two branches run at the same time.
 */
export type Steps<Result> = Generator<Instant, Result, void>;

/** Waits for a moment; returns immediately if it has passed. */
export function* waitUntil(moment: Instant, { world }: RequestRun): Steps<void> {
  if (moment > world.now) yield moment;
}

/** Runs steps alone: time passes to whatever they wait for. */
export const runSteps = <Result>(steps: Steps<Result>, world: World): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    passTime(world, step.value);
  }
};
