import { type Choice, type Choose, choiceAt, nextScript, type Weighted } from './enumerate.ts';
import { multiply, one } from './rational.ts';

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
  let script: readonly number[] | undefined = [];
  while (script !== undefined) {
    if (runs.length >= atMost) throw new TooManyRuns(`There are more than ${atMost} sequences of draws.`);
    const replayed: readonly number[] = script;
    const draws: Choice[] = [];
    const result = await run((weights) => {
      const draw = choiceAt(weights, replayed[draws.length] ?? 0);
      draws.push(draw);
      return draw.options[draw.at] ?? -1;
    });
    runs.push({ probability: draws.reduce((all, { probability }) => multiply(all, probability), one), result });
    script = nextScript(draws);
  }
  return runs;
};
