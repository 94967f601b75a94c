import type { Loss } from '../../sdk/dialect/dialect.ts';
import { listLosses } from '../shared/request/lost.ts';

const request = {
  system: 'Instructions before the first turn are part of it.',
  'system.text': 'An empty text is omitted.',
  'system.cache': 'The format has no cache hints.',
  turns: 'A tool turn contains only results, and consecutive results are one turn.',
  'turns.id': 'Messages have no ids.',
  'turns.phase': 'Messages have no phase.',
  'turns.parts.text': 'An empty text is omitted.',
  'turns.parts.cache': 'The format has no cache hints.',
  'turns.parts.order': "A turn's texts come before its tool calls, and its signature comes last.",
  'turns.parts.citations': 'A request cannot contain the citations of a text.',
  'turns.parts.logprobs': 'A request has no log probabilities.',
  'turns.parts.reasoning':
    'Of earlier reasoning, only what this target sent as details, or as a signature of a call or of the message, can be sent, and its text to providers that take it back.',
  'turns.parts.bound': 'A signature without a text is sent as a thought signature.',
  'turns.parts.server-tool-call': "A history cannot contain calls of a provider's own tools.",
  'turns.parts.server-tool-result': "The result of a provider's own tool becomes text of the model.",
  'turns.parts.tool-call': 'Only the model calls tools.',
  'turns.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.media':
    'Images by file id, documents by URL at most providers, files stored by others, videos, and media of the model cannot be sent; a plain-text document becomes text.',
  'turns.parts.detail': 'Only images have a detail.',
  'turns.parts.name':
    'Only documents have names, and an inline document requires one; a result does not repeat its tool.',
  'turns.parts.failed': 'A result cannot indicate that the tool failed.',
  'turns.parts.extensions': "The format cannot express another dialect's members.",
  'turns.parts.parts.text': 'An empty text is omitted.',
  'turns.parts.parts.cache': 'The format has no cache hints.',
  'turns.parts.parts.json': 'A result contains only text, so a value is written as its JSON.',
  'turns.parts.parts.media': 'A result contains only text; its media follow in a user turn.',
  'turns.parts.parts.detail': 'Only images have a detail.',
  'turns.parts.parts.name': 'Only documents have names, and an inline document requires one.',
  'turns.parts.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.parts.extensions': "The format cannot express another dialect's members.",
  tools: "The format cannot express another dialect's tool.",
  'tools.cache': 'The format has no cache hints.',
  'tools.extensions': "The format cannot express another dialect's members.",
  toolChoice: 'A choice is omitted if there are no tools.',
  'sampling.temperature': 'Models that reason accept only 1.',
  'sampling.topP': 'Models that reason do not accept this parameter.',
  'sampling.topK': 'The API has no such parameter.',
  'sampling.stop': 'At most four are accepted, and none by models that reason.',
  'sampling.presencePenalty': 'Models that reason do not accept this parameter.',
  'sampling.frequencyPenalty': 'Models that reason do not accept this parameter.',
  logprobs: 'Models that reason do not accept this parameter.',
  'answerFormat.name': 'A schema needs a name; the default is "response".',
  reasoning: 'Only an effort can be expressed, and only one that the model supports.',
  streamUsage: 'Only a stream can include usage.',
  extensions: "The format cannot express another dialect's fields.",
} as const;

const answer = {
  'choices.parts':
    "Texts are joined and come first. In strict mode reasoning is omitted, except the values that a call needs to be continued, and one signature of the message. Only images and one audio, which gets an id from the gateway, can be sent, and only citations of web pages. The provider's own tools and other parts cannot be expressed.",
  'choices.parts.extensions':
    "The format cannot express another dialect's members, and a `function_call` only those of its function.",
  'choices.finish': 'In strict mode a finish is one of five reasons; a stop sequence and details are not included.',
  'choices.extensions': "The format cannot express another dialect's fields, and a stream carries none.",
  created: 'An answer without a time gets one.',
  'usage.cacheWriteByTtl': 'Usage does not distinguish how long tokens are cached.',
  'usage.calls': "Usage has no calls of the provider's own tools.",
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = listLosses({ ...request, ...answer });
