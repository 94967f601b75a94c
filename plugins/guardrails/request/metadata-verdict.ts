import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import { type Operator, operatorHolds, operatorInWords } from '../shared/operator.ts';

export interface FoundMetadata {
  readonly operator: Operator;
  /** The plural name of what the check looks for. */
  readonly what: 'keys' | 'pairs';
  readonly wanted: readonly string[];
  /** The required keys that are present. */
  readonly found: readonly string[];
}

/** Returns the verdict on metadata that should have any, all or none of some keys. */
export const metadataVerdict = ({ operator, what, wanted, found }: FoundMetadata): Verdict => {
  const pass = operatorHolds(operator, found.length, wanted.length);
  return {
    pass,
    data: {
      explanation: `The requirement that the metadata have ${operatorInWords(operator)} of the ${what} is ${pass ? 'met' : 'not met'}.`,
      operator,
      foundKeys: found,
      missingKeys: wanted.filter((key) => !found.includes(key)),
    },
  };
};
