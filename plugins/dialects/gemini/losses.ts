import type { Loss } from '../../sdk/dialect.ts';

const request = {
  'system.text': 'The API rejects empty texts.',
  'system.cache': 'The format has no cache hints.',
  turns:
    'A tool turn has only results, in the order of their calls; consecutive results are one, and an empty turn is omitted.',
  'turns.name': 'Speakers have no names.',
  'turns.parts.text': 'The API rejects empty texts.',
  'turns.parts.cache': 'The format has no cache hints.',
  'turns.parts.media': 'A file of another provider cannot be sent.',
  'turns.parts.detail': 'Media have no detail.',
  'turns.parts.name': 'Media have no names.',
  'turns.parts.arguments': 'A call has a JSON object as its arguments instead of the text that the model wrote.',
  'turns.parts.reasoning': 'Only reasoning that this service signed is sent back.',
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.parts': 'A result is one JSON object, with media after it.',
  'turns.parts.parts.cache': 'The format has no cache hints.',
  'turns.parts.parts.media': 'Before Gemini 3, the media of a result follow it.',
  'turns.parts.parts.detail': 'Media have no detail.',
  'turns.parts.parts.name': 'Media have no names.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.order': "Functions come before the provider's own tools.",
  'tools.parameters': 'The parameters of a function are an object.',
  'tools.strict': 'A function cannot be strict by itself.',
  'tools.cache': 'The format has no cache hints.',
  toolChoice: 'Without functions there is nothing to choose.',
  'toolChoice.parallel': 'The API has no such parameter.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema is always enforced.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning: 'Models since 3 have four levels, those of 2.5 have budgets within bounds, and older ones do not think.',
  user: 'The API has no such parameter.',
  streamUsage: 'Every stream includes usage.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  'choices.parts': "A refusal becomes text, consecutive texts are one, and another dialect's part has no words here.",
  'choices.finish': 'A call has no reason of its own, a refusal is a filter, and a stop sequence is not included.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  'usage.cacheWrite': 'Tokens written to a cache are not counted.',
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** What the format cannot express, by member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
