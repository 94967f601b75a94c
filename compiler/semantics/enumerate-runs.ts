import type { Choose, Weighted } from './enumerate.ts';
import { multiply, one, type Rational, rational } from './rational.ts';

interface Draw {
  readonly options: readonly number[];
  readonly at: number;
  readonly probability: Rational;
}

const toDraw = (weights: readonly number[], at: number): Draw => {
  const options = weights.flatMap((weight, index) => (weight > 0 ? [index] : []));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { options, at, probability: rational(BigInt(weights[options[at] ?? -1] ?? 0), BigInt(total)) };
};

/** Thrown if there are too many sequences of draws to try. */
export class TooManyRuns extends Error {}

/**
 * Runs a function that draws once for every sequence of draws, and returns each result with its probability. Rejects with
 * `TooManyRuns` if there are more than `atMost` sequences.
 */
export const enumerateRuns = async <Result>(
  run: (choose: Choose) => Promise<Result>,
  atMost: number = Number.POSITIVE_INFINITY,
): Promise<readonly Weighted<Result>[]> => {
  const runs: Weighted<Result>[] = [];
  let script: number[] | undefined = [];
  while (script !== undefined) {
    if (runs.length >= atMost) throw new TooManyRuns(`There are more than ${atMost} sequences of draws.`);
    const replayed: readonly number[] = script;
    const draws: Draw[] = [];
    const result = await run((weights) => {
      const draw = toDraw(weights, replayed[draws.length] ?? 0);
      draws.push(draw);
      return draw.options[draw.at] ?? -1;
    });
    runs.push({ probability: draws.reduce((all, { probability }) => multiply(all, probability), one), result });
    const last = draws.findLastIndex(({ options, at }) => at + 1 < options.length);
    script = last < 0 ? undefined : draws.slice(0, last + 1).map(({ at }, index) => (index === last ? at + 1 : at));
  }
  return runs;
};
