import type { Loss } from '../../sdk/dialect/dialect.ts';
import { listLosses } from '../shared/request/lost.ts';

const request = {
  'extensions.completions.best_of': 'A chat returns all of its answers.',
  'extensions.completions.echo': 'A chat does not repeat its prompt.',
  'extensions.completions.logit_bias': 'Token ids differ between models.',
  'extensions.completions.logprobs': 'Texts of chats have no log probabilities in this form.',
} as const;

const answer = {
  'choices.parts': 'A refusal becomes text; only texts can be expressed.',
  'choices.extensions': "The format cannot express another dialect's fields.",
} as const;

/** The losses of text completions that are served as conversations, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = listLosses({ ...request, ...answer });
