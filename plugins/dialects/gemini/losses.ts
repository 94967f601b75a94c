import type { Loss } from '../../sdk/dialect/dialect.ts';
import { listLosses } from '../shared/request/lost.ts';

const request = {
  system: 'Instructions before the first turn are part of it; if there is no turn, they become a message of the user.',
  'system.text': 'The API rejects empty texts.',
  'system.cache': 'The format has no cache hints.',
  turns:
    'A tool turn has only results, in the order of their calls; consecutive turns of the model or of results are one, and an empty turn is omitted.',
  'turns.role': 'Instructions after the first turn become messages of the user.',
  'turns.name': 'Speakers have no names.',
  'turns.id': 'Contents have no ids.',
  'turns.phase': 'Contents have no phase.',
  'turns.parts.text': 'The API rejects empty texts.',
  'turns.parts.cache': 'The format has no cache hints.',
  'turns.parts.citations': 'A text of a request has no sources.',
  'turns.parts.logprobs': 'A text of a request has no probabilities.',
  'turns.parts.media': 'A file of another provider cannot be sent.',
  'turns.parts.detail': 'Media have no detail.',
  'turns.parts.name': 'Media have no names, and a result has the name of its call.',
  'turns.parts.arguments': 'A call has a JSON object as its arguments instead of the text that the model wrote.',
  'turns.parts.reasoning': 'Only reasoning that this service signed is sent back.',
  'turns.parts.bound': 'Every bound value is sent as a thought signature.',
  'turns.parts.summary': 'A summary becomes the text of the thought.',
  'turns.parts.server-tool-call': "The format cannot express another provider's own tools.",
  'turns.parts.server-tool-result': "The format cannot express another provider's own tools.",
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.extensions': "The format cannot express another dialect's members.",
  'turns.parts.parts': 'A result is one JSON object, with media after it.',
  'turns.parts.parts.cache': 'The format has no cache hints.',
  'turns.parts.parts.media': 'Before Gemini 3, the media of a result follow it.',
  'turns.parts.parts.detail': 'Media have no detail.',
  'turns.parts.parts.name': 'Media have no names.',
  'turns.parts.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.parts.extensions': "The format cannot express another dialect's members.",
  tools: "The format cannot express another dialect's tool.",
  'tools.description': 'A tool that Google runs cannot have a description from the client.',
  'tools.custom': 'A custom tool becomes a function whose only parameter is its input.',
  'tools.order': "Functions come before the provider's own tools.",
  'tools.strict': 'A single function cannot be strict.',
  'tools.cache': 'The format has no cache hints.',
  'tools.extensions': "The format cannot express another dialect's members.",
  toolChoice: 'A choice is omitted if there are no functions, and tools that Google runs cannot be chosen.',
  'toolChoice.allowed':
    'A requirement with one name is the choice of that tool, and tools that Google runs cannot be chosen.',
  'toolChoice.parallel': 'The API has no such parameter.',
  'sampling.stop': 'At most five are accepted.',
  'sampling.presencePenalty': 'Models since Gemini 2.5 have no penalties.',
  'sampling.frequencyPenalty': 'Models since Gemini 2.5 have no penalties.',
  answerFormat: 'Models before Gemini 3 do not accept it together with functions.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema is always enforced.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning: 'Models since Gemini 3 have four levels, those of 2.5 have limited budgets, and older ones do not think.',
  user: 'The API has no such parameter.',
  audio: 'The voices of other providers are not supported.',
  serviceTier: 'The supported tiers are default, flex and priority.',
  cacheKey: 'The API has no such parameter.',
  verbosity: 'The API has no such parameter.',
  streamUsage: 'Every stream includes usage.',
  extensions: "The format cannot express another dialect's fields.",
} as const;

const answer = {
  'choices.parts':
    "A refusal becomes text, consecutive texts are joined, web pages are cited without the cited words, and the format cannot express another dialect's part.",
  'choices.parts.extensions': "The format cannot express another dialect's members.",
  'choices.finish':
    'There is no finish reason for calls, a refusal becomes a filtered answer, and a stop sequence is not included.',
  'choices.extensions': "The format cannot express another dialect's fields, and a stream carries none.",
  'usage.cacheWrite': 'Tokens written to a cache are not counted.',
  'usage.cacheWriteByTtl': 'Tokens written to a cache are not counted.',
  'usage.calls': "Calls of the provider's own tools are not counted.",
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = listLosses({ ...request, ...answer });
