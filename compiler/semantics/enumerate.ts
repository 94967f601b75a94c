import { multiply, one, type Rational, rational } from './rational.ts';

/** Draws an index, with its weight's share of the sum as probability. At least one weight is above 0. */
export type Choose = (weights: readonly number[]) => number;

export interface Weighted<Result> {
  readonly probability: Rational;
  readonly result: Result;
}

/** One choice of the run that is being replayed. */
export interface Choice {
  /** The indexes that can be drawn, and the one that this run draws. */
  readonly options: readonly number[];
  readonly at: number;
  readonly probability: Rational;
}

/** Returns the choice of the option at an index among those of a weight above 0. */
export const choiceAt = (weights: readonly number[], at: number): Choice => {
  const options = weights.flatMap((weight, index) => (weight > 0 ? [index] : []));
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  const drawn = options[at];
  if (drawn === undefined) throw new RangeError('A choice needs at least one weight above 0.');
  return { options, at, probability: rational(BigInt(weights[drawn] ?? 0), total) };
};

/** Returns the choices of the next run in depth-first order; undefined after the last run. */
export const nextScript = (script: readonly Choice[]): readonly number[] | undefined => {
  const last = script.findLastIndex(({ options, at }) => at + 1 < options.length);
  if (last === -1) return undefined;
  return script.slice(0, last + 1).map(({ at }, index) => (index === last ? at + 1 : at));
};

/**
 * Returns every run of a function that draws, with its exact probability. `run` is called once for each sequence of draws, and
 * must do the same for the same draws.
 */
export const enumerate = <Result>(run: (choose: Choose) => Result): readonly Weighted<Result>[] => {
  const runs: Weighted<Result>[] = [];
  let script: readonly number[] | undefined = [];
  while (script !== undefined) {
    const replayed: readonly number[] = script;
    const made: Choice[] = [];
    const result = run((weights) => {
      const choice = choiceAt(weights, replayed[made.length] ?? 0);
      made.push(choice);
      return choice.options[choice.at] ?? 0;
    });
    runs.push({ probability: made.reduce((product, choice) => multiply(product, choice.probability), one), result });
    script = nextScript(made);
  }
  return runs;
};
