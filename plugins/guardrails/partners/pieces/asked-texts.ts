import type { CheckedRequest } from '../../../sdk/guardrail/guardrail.ts';

/** Returns the texts of a request: first the instructions and the earlier turns, then the rest. Empty if no text can be read. */
export const askedTexts = ({ text, earlierText }: CheckedRequest): readonly string[] =>
  [earlierText ?? '', text ?? ''].filter((each) => each.trim() !== '');
