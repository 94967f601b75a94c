import type { Loss } from '../../sdk/dialect/dialect.ts';
import { listLosses } from '../shared/request/lost.ts';

const request = {
  system:
    'Instructions before the first turn are part of it, whatever their role; if there is no turn, they become a message of the user.',
  'system.text': 'The API rejects blank texts.',
  'system.cache.ttl': 'Content is kept for five minutes or an hour.',
  turns: 'Consecutive turns of one side are one message, results first; an empty turn is omitted.',
  'turns.name': 'Speakers have no names.',
  'turns.id': 'Messages have no ids.',
  'turns.phase': 'Messages have no phase.',
  'turns.role':
    'Later instructions are sent as system messages only to newer models, and only after the user and before the model. Otherwise they become messages of the user.',
  'turns.parts.text':
    'The API rejects blank texts, and white space at the end of an answer that Claude should continue.',
  'turns.parts.citations': 'Only earlier citations of documents, with the cited words, can be sent.',
  'turns.parts.logprobs': 'Texts have no log probabilities.',
  'turns.parts.media': 'The format has no audio and no video, and a file that another vendor stores cannot be sent.',
  'turns.parts.detail': 'Images have no detail.',
  'turns.parts.name': 'Only documents have titles, and a result does not repeat its tool.',
  'turns.parts.mimeType': 'A plain-text document is always text/plain.',
  'turns.parts.arguments': 'A call has a JSON object as its input instead of the text that the model wrote.',
  'turns.parts.reasoning':
    'The API accepts only reasoning that it signed or redacted, and none at the end of a message.',
  'turns.parts.summary': 'Redacted reasoning has no summary.',
  'turns.parts.server-tool-call': "A history cannot contain calls of another provider's own tools.",
  'turns.parts.server-tool-result': "The result of another provider's own tool becomes text.",
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.cache.ttl': 'Content is kept for five minutes or an hour.',
  'turns.parts.extensions': "The format cannot express another dialect's members.",
  'turns.parts.parts': 'A failed result without content gets a text, which the API requires.',
  'turns.parts.parts.text': 'The API rejects blank texts.',
  'turns.parts.parts.media':
    'The format has no audio and no video, and a file that another vendor stores cannot be sent.',
  'turns.parts.parts.json': 'A value is written as its JSON.',
  'turns.parts.parts.detail': 'Images have no detail.',
  'turns.parts.parts.name': 'Only documents have titles.',
  'turns.parts.parts.mimeType': 'A plain-text document is always text/plain.',
  'turns.parts.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.parts.cache.ttl': 'Content is kept for five minutes or an hour.',
  'turns.parts.parts.extensions': "The format cannot express another dialect's members.",
  tools: "The format cannot express another dialect's tool.",
  'tools.parameters':
    'A tool requires a schema of an object. The schema of a strict tool contains only keywords that the API supports.',
  'tools.format': 'The text of a custom tool cannot be constrained: the tool is a function with one string.',
  'tools.cache.ttl': 'Content is kept for five minutes or an hour.',
  'tools.extensions': "The format cannot express another dialect's members.",
  toolChoice: 'A choice is omitted if there are no tools.',
  'toolChoice.parallel': 'It is not sent if no tool may be called.',
  'toolChoice.allowed': 'Only the tools that may be called are sent.',
  'sampling.maxTokens': "The API requires it. If absent, the model's own limit is sent, or 8192 if that is not known.",
  'sampling.temperature': 'It is at most 1. With thinking, and for models since Opus 4.7, only 1 is accepted.',
  'sampling.topP':
    'Models reject it together with a temperature, and low values with thinking. Models since Opus 4.7 reject every value.',
  'sampling.topK': 'Models reject it with thinking; models since Opus 4.7 always reject it.',
  'sampling.stop': 'The API rejects blank stop sequences.',
  'sampling.seed': 'The API has no such parameter.',
  'sampling.presencePenalty': 'The API has no such parameter.',
  'sampling.frequencyPenalty': 'The API has no such parameter.',
  'sampling.count': 'The format has only one choice.',
  answerFormat: 'Only a schema can be requested.',
  'answerFormat.schema':
    'Objects have no additional members, and keywords that the API rejects are moved to descriptions.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema is always enforced.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning:
    'The effort "none" turns thinking off, "minimal" becomes "low", and "xhigh" becomes "max" for models without it. Older models support only budgets, newer ones none. There is no thinking in a turn that another service began, or if a call is forced.',
  streamUsage: 'Every stream includes usage.',
  serviceTier: 'The API has only `auto` and its standard tier.',
  logprobs: 'The API has no log probabilities.',
  modalities: 'The answer is always text.',
  audio: 'The answer is always text.',
  cacheKey: 'The API marks prefixes instead of naming them.',
  verbosity: 'The API has no such parameter.',
  extensions: "The format cannot express another dialect's fields.",
} as const;

const answer = {
  choices: 'The format has only one choice.',
  'choices.parts':
    "A refusal becomes text, a summary becomes the thinking, arguments are a JSON object, a citation supports its whole text, and media, log probabilities and other providers' own tools cannot be sent.",
  'choices.parts.extensions': "The format cannot express another dialect's members.",
  'choices.finish':
    'A filtered answer becomes a refusal, and only a refusal has details; a malformed call ends the turn.',
  'choices.extensions': "The format cannot express another dialect's fields, and a stream carries none.",
  created: 'An answer has no time.',
  usage: 'Every answer includes it, with zeros if it was absent.',
  'usage.inputAudio': 'Tokens of audio are not counted separately.',
  'usage.inputImage': 'Tokens of images are not counted separately.',
  'usage.outputAudio': 'Tokens of audio are not counted separately.',
  'usage.outputImage': 'Tokens of images are not counted separately.',
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = listLosses({ ...request, ...answer });
