import type { CheckedRequest } from '../../../sdk/guardrail/guardrail.ts';

/** Lists what the model was asked: the instructions and the earlier turns, and then the rest; none where no text can be read. */
export const askedTexts = ({ text, earlierText }: CheckedRequest): readonly string[] =>
  [earlierText ?? '', text ?? ''].filter((each) => each.trim() !== '');
