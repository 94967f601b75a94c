import type { Loss } from '../../sdk/dialect.ts';

const request = {
  'system.text': 'An empty text is left out.',
  'system.cache': 'The format marks no prefixes to keep.',
  turns: 'A tool turn holds results alone, and results that follow each other are one turn.',
  'turns.parts.text': 'An empty text is left out.',
  'turns.parts.cache': 'The format marks no prefixes to keep.',
  'turns.parts.order': "A turn's texts come before its tool calls.",
  'turns.parts.reasoning': 'A request has no member for reasoning that came before.',
  'turns.parts.tool-call': 'Only the model calls tools.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.media': 'Images by file id, documents by URL and media of the model have no form; a plain text is one.',
  'turns.parts.detail': 'Only images have a detail.',
  'turns.parts.name': 'Only documents have names, and an inline one needs it.',
  'turns.parts.failed': 'A result does not say that the tool failed.',
  'turns.parts.parts.text': 'An empty text is left out.',
  'turns.parts.parts.cache': 'The format marks no prefixes to keep.',
  'turns.parts.parts.media': 'A result holds texts alone; its media follow in a user turn.',
  'turns.parts.parts.detail': 'Only images have a detail.',
  'turns.parts.parts.name': 'Only documents have names, and an inline one needs it.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.cache': 'The format marks no prefixes to keep.',
  toolChoice: 'Without tools there is nothing to choose.',
  'sampling.topK': 'The API has no such parameter.',
  'answerFormat.name': 'A schema needs a name; without one it is "response".',
  reasoning: 'Only an effort has a word here.',
  streamUsage: 'Only a stream can be asked for it.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  'choices.parts': 'Texts are joined and come first; in strict mode reasoning is left out; other parts have no words.',
  'choices.finish': 'In strict mode a finish is one of five words; a stop sequence is not told.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer without a time gets one.',
  'usage.raw': 'It is what stands on the wire.',
} as const;

/** What the format cannot say, by the member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
