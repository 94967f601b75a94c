import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import { statementVerdict } from './statement-verdict.ts';

/** Something counted, and how much of it there may be; both ends are allowed. */
export interface Counted {
  readonly count: number;
  /** The unit that is counted: `words`. */
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly not: boolean;
}

/** Whether a count lies within its range. */
export const rangeVerdict = ({ count, unit, least, most, not }: Counted): Verdict => {
  const words = `The number of ${unit} is ${count}, which is`;
  const range = `between ${least} and ${most}`;
  return statementVerdict({
    holds: count >= least && count <= most,
    not,
    words: [`${words} ${range}`, `${words} not ${range}`],
    data: { count, least, most },
  });
};

/** Lists what is wrong with the ends of a range. */
export const rangeErrors = (least: number, most: number, unit: string): readonly string[] =>
  least > most ? [`The least number of ${unit}, ${least}, is larger than the largest, ${most}.`] : [];
