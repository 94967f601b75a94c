import type { Loss } from '../../sdk/dialect.ts';

const request = {
  'system.text': 'The API rejects empty texts.',
  'system.cache': 'The format has no cache hints.',
  turns: 'A tool turn contains only results, consecutive results are one turn, and an empty turn is omitted.',
  'turns.name': 'Speakers have no names.',
  'turns.parts.text': 'The API rejects empty texts.',
  'turns.parts.cache': 'The format has no cache hints.',
  'turns.parts.order': "A turn's content comes before its tool calls.",
  'turns.parts.reasoning': 'Thinking that another provider signed or encrypted is of no use here.',
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.tool-call': 'Only the model calls tools.',
  'turns.parts.arguments': 'A call without arguments has an empty object.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.media':
    'There are only images, by URL or inline, of the user. Documents with text belong to the last question, before its words, or are text.',
  'turns.parts.detail': 'Only images have a detail.',
  'turns.parts.name': 'Only documents have names.',
  'turns.parts.mimeType': 'A document is plain text.',
  'turns.parts.failed': 'A result does not say that the tool failed.',
  'turns.parts.parts.text': 'The API rejects empty texts.',
  'turns.parts.parts.cache': 'The format has no cache hints.',
  'turns.parts.parts.media': 'A result contains only text and structured values.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: 'There are only functions; and since a choice cannot name tools, only those are sent that may be called.',
  'tools.cache': 'The format has no cache hints.',
  'tools.parameters': 'A tool requires a schema.',
  'tools.strict': 'All tools of a request are strict, or none.',
  toolChoice: 'Without tools there is nothing to choose, and a model left alone chooses by itself.',
  'toolChoice.name': 'A choice cannot name a tool.',
  'toolChoice.parallel': 'Parallel calls cannot be forbidden.',
  'sampling.temperature': 'It is at most 1.',
  'sampling.topP': 'It is at least 0.01 and at most 0.99.',
  'sampling.presencePenalty': 'It is at least 0.',
  'sampling.frequencyPenalty': 'It is at least 0.',
  'sampling.count': 'The format has only one choice.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema is always enforced.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning: 'There is no effort: "none" turns thinking off, the lower ones are budgets.',
  streamUsage: 'Every stream includes usage.',
  user: 'The API has no such parameter.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  model: 'An answer does not name its model.',
  choices: 'The format has only one choice.',
  'choices.parts':
    'A refusal becomes text, calls come last, media cannot be sent, and only clients that are not strict get signatures.',
  'choices.finish': 'A finish is one of four reasons; a filter is none of them.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer has no time.',
  'usage.cacheWrite': 'It is not counted.',
  'usage.reasoning': 'It is not counted.',
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** What the format cannot express, by member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
