import type { Lost } from './lost.ts';

/** Returns the first stop sequences, as many as a format has room for. */
export const fitStops = (
  stop: readonly string[] | undefined,
  max: number,
  lost: Lost,
): readonly string[] | undefined => {
  if (stop === undefined || stop.length <= max) return stop;
  lost.push('sampling.stop');
  return stop.slice(0, max);
};
