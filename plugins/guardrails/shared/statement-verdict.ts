import type { JsonObject } from '../../../schema/json/json.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';

/** A statement that a check evaluated. */
export interface Statement {
  readonly holds: boolean;
  /** Whether the statement should be false. */
  readonly not: boolean;
  /** The texts, without a full stop, for when the statement is true and when it is false. */
  readonly words: readonly [holds: string, fails: string];
  readonly data?: JsonObject;
}

/** Returns the verdict on a statement that should be true or, with `not`, false. */
export const statementVerdict = ({ holds, not, words: [yes, no], data = {} }: Statement): Verdict => {
  const pass = holds !== not;
  const expected = pass ? 'as required' : 'which is not allowed';
  return { pass, data: { explanation: `${holds ? yes : no}, ${expected}.`, not, ...data } };
};
