import type { Answer } from '../../scenario.ts';

/** An answer that is no error. */
export type Success = Extract<Answer, { readonly kind: 'answer' }>;

/** How many of the output tokens were reasoning. */
export const reasoningTokens = ({ reasoning, usage }: Success): number =>
  reasoning === undefined ? 0 : Math.floor(usage.output / 2);
