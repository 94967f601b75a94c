import type { Clock } from '../../ports/clock.ts';

/** How often a chooser that fails at every request is told of. */
const everyMs = 60_000;

/** Tells the operator that a chooser threw, or chose nothing: once a minute for each. */
export const chooserFailures = (
  log: (text: string) => void,
  clock: Pick<Clock, 'monotonic'>,
): ((chooser: string, reason: string) => void) => {
  const told = new Map<string, number>();
  return (chooser, reason) => {
    const now = clock.monotonic();
    const last = told.get(chooser);
    if (last !== undefined && now - last < everyMs) return;
    told.set(chooser, now);
    log(`The balance "${chooser}" failed, and targets are drawn by weight: ${reason}`);
  };
};
