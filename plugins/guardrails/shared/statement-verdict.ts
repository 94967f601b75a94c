import type { JsonObject } from '../../../schema/json/json.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';

/** A statement that a check evaluated. */
export interface Statement {
  readonly holds: boolean;
  /** Whether it should not hold. */
  readonly not: boolean;
  /** Texts for the case, without a full stop, where the statement holds and where it does not. */
  readonly words: readonly [holds: string, fails: string];
  readonly data?: JsonObject;
}

/** The verdict of a statement that should hold, or with `not`, should not. */
export const statementVerdict = ({ holds, not, words: [yes, no], data = {} }: Statement): Verdict => {
  const pass = holds !== not;
  const expected = pass ? 'as it should' : `but it should${not ? ' not' : ''}`;
  return { pass, data: { explanation: `${holds ? yes : no}, ${expected}.`, not, ...data } };
};
