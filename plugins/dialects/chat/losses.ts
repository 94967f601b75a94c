import type { Loss } from '../../sdk/dialect/dialect.ts';

const request = {
  system: 'Instructions before the first turn are part of it.',
  'system.text': 'An empty text is omitted.',
  'system.cache': 'The format has no cache hints.',
  turns: 'A tool turn contains only results, and consecutive results are one turn.',
  'turns.id': 'Messages have no ids.',
  'turns.phase': 'Messages have no phase.',
  'turns.parts.text': 'An empty text is omitted.',
  'turns.parts.cache': 'The format has no cache hints.',
  'turns.parts.order': "A turn's texts come before its tool calls.",
  'turns.parts.citations': 'A request does not say what a text cites.',
  'turns.parts.logprobs': 'A request has no log probabilities.',
  'turns.parts.reasoning': 'Of earlier reasoning, only a signature of this target can be sent, at the call after it.',
  'turns.parts.server-tool-call': "A provider's own tools have no place in a history.",
  'turns.parts.server-tool-result': "The result of a provider's own tool becomes text of the model.",
  'turns.parts.tool-call': 'Only the model calls tools.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.media':
    'Images by file id, documents by URL, files that others store, videos and media of the model cannot be sent; a plain-text document becomes text.',
  'turns.parts.detail': 'Only images have a detail.',
  'turns.parts.name':
    'Only documents have names, and an inline document requires one; a result does not repeat its tool.',
  'turns.parts.failed': 'A result does not say that the tool failed.',
  'turns.parts.parts.text': 'An empty text is omitted.',
  'turns.parts.parts.cache': 'The format has no cache hints.',
  'turns.parts.parts.json': 'A result contains only text, so a value is written as its JSON.',
  'turns.parts.parts.media': 'A result contains only text; its media follow in a user turn.',
  'turns.parts.parts.detail': 'Only images have a detail.',
  'turns.parts.parts.name': 'Only documents have names, and an inline document requires one.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.cache': 'The format has no cache hints.',
  toolChoice: 'Without tools there is nothing to choose.',
  'sampling.temperature': 'Models that reason have no other than 1.',
  'sampling.topP': 'Models that reason have no such parameter.',
  'sampling.topK': 'The API has no such parameter.',
  'sampling.stop': 'There are at most four, and none for models that reason.',
  'sampling.presencePenalty': 'Models that reason have no such parameter.',
  'sampling.frequencyPenalty': 'Models that reason have no such parameter.',
  logprobs: 'Models that reason have no such parameter.',
  'answerFormat.name': 'A schema needs a name; without one it is "response".',
  reasoning: 'Only an effort can be expressed, and of those only what the model has.',
  streamUsage: 'Only a stream can include usage.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  'choices.parts':
    "Texts are joined and come first; in strict mode reasoning is omitted, save what a call needs to be continued; only images and one audio can be sent, which gets an id of ours, and of citations those of pages on the web; the provider's own tools and other parts cannot be expressed.",
  'choices.finish': 'In strict mode a finish is one of five reasons; a stop sequence and details are not included.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer without a time gets one.',
  'usage.cacheWriteByTtl': 'Usage has no times.',
  'usage.calls': "Usage has no calls of the provider's own tools.",
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
