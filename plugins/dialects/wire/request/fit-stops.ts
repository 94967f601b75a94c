import type { Lost } from './lost.ts';

/** The stop sequences that a format has room for, which are the first of them. */
export const fitStops = (
  stop: readonly string[] | undefined,
  max: number,
  lost: Lost,
): readonly string[] | undefined => {
  if (stop === undefined || stop.length <= max) return stop;
  lost.push('sampling.stop');
  return stop.slice(0, max);
};
