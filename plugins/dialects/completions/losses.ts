import type { Loss } from '../../sdk/dialect/dialect.ts';

const request = {
  'extensions.completions.best_of': 'A chat gives all of its answers.',
  'extensions.completions.echo': 'A chat does not repeat what it was asked.',
  'extensions.completions.logit_bias': 'The ids of tokens are those of another model.',
  'extensions.completions.logprobs': 'Texts of chats have no log probabilities in this form.',
} as const;

const answer = {
  'choices.parts': 'A refusal becomes text; nothing else than texts can be expressed.',
  'choices.extensions': "Another dialect's fields have no words here.",
} as const;

/** The losses of text completions that are served as conversations, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
