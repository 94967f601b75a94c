import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import { statementVerdict } from './statement-verdict.ts';

/** A count, and its range, including both ends. */
export interface Counted {
  readonly count: number;
  /** The unit that is counted: `words`. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly not: boolean;
}

/** Whether a count lies within its range. */
export const rangeVerdict = ({ count, unit, min, max, not }: Counted): Verdict => {
  const words = `The number of ${unit} (${count}) is`;
  const range = `between ${min} and ${max}`;
  return statementVerdict({
    holds: count >= min && count <= max,
    not,
    words: [`${words} ${range}`, `${words} not ${range}`],
    data: { count, least: min, most: max },
  });
};

/** Returns the errors in the ends of a range. */
export const rangeErrors = (min: number, max: number, unit: string): readonly string[] =>
  min > max ? [`The minimum number of ${unit}, ${min}, is larger than the maximum, ${max}.`] : [];
