import type { Answer } from '../../scenario.ts';

/** An answer that is not an error. */
export type Success = Extract<Answer, { readonly kind: 'answer' }>;

/** How many of the output tokens were reasoning. */
export const reasoningTokens = ({ usage }: Success): number => usage.reasoning ?? 0;

/** How many of the input tokens were cached. */
export const cachedTokens = ({ usage }: Success): number => usage.cached ?? 0;
