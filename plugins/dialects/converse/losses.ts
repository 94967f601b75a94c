import type { Loss } from '../../sdk/dialect/dialect.ts';
import { listLosses } from '../shared/request/lost.ts';

const request = {
  system: 'Instructions before the first turn are part of it; if there is no turn, they become a message of the user.',
  'system.text': 'The API rejects blank texts.',
  'system.cache': 'Only models of Anthropic and Amazon accept cache points.',
  'system.cache.ttl': 'Content is kept for five minutes or an hour.',
  turns: 'Consecutive turns of one side are one message, results first; an empty turn is omitted.',
  'turns.role': "Instructions between turns become texts of the user's side.",
  'turns.name': 'Speakers have no names.',
  'turns.id': 'Messages have no ids.',
  'turns.phase': 'Messages have no phases.',
  'turns.documents': 'The API rejects documents without a text beside them, so one is added.',
  'turns.parts.text':
    'The API rejects blank texts, and white space at the end of an answer that Claude should continue.',
  'turns.parts.citations': 'A text is sent back without its citations.',
  'turns.parts.logprobs': 'The format has no log probabilities.',
  'turns.parts.cache': 'Only models of Anthropic and Amazon accept cache points.',
  'turns.parts.media':
    'The API accepts bytes and S3 locations of the formats that it supports, and no media of the model.',
  'turns.parts.detail': 'Media have no detail.',
  'turns.parts.name': "Only documents have names, which the API restricts; a tool's result does not repeat the name.",
  'turns.parts.tool-call': 'Only the model calls tools.',
  'turns.parts.arguments': 'A call has a JSON object as its input instead of the text that the model wrote.',
  'turns.parts.reasoning':
    'A model accepts only reasoning that it signed or encrypted, and Claude none at the end of a message.',
  'turns.parts.summary': 'Reasoning is sent back without its summary.',
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.server-tool-call': "The format cannot express a call of another provider's own tool.",
  'turns.parts.server-tool-result': "The result of another provider's own tool becomes text.",
  'turns.parts.failed': 'Only models of Anthropic and Amazon accept the status of a failed tool.',
  'turns.parts.cache.ttl': 'Content is kept for five minutes or an hour.',
  'turns.parts.extensions': "The format cannot express another dialect's members.",
  'turns.parts.parts': 'A failed result without content gets a text, which the API requires.',
  'turns.parts.parts.text': 'The API rejects blank texts.',
  'turns.parts.parts.cache': 'A cache point comes after a whole result.',
  'turns.parts.parts.media': 'The API accepts bytes and S3 locations, and no audio in results.',
  'turns.parts.parts.detail': 'Media have no detail.',
  'turns.parts.parts.name': 'Only documents have names, which the API restricts.',
  'turns.parts.parts.json': 'JSON that is not an object becomes text.',
  'turns.parts.parts.other': "The format cannot express another dialect's part.",
  'turns.parts.parts.extensions': "The format cannot express another dialect's members.",
  tools:
    "The format cannot express another dialect's tool, and a custom tool becomes a function. Tools that may not be called are omitted, and tools that were called before are declared, because the API requires them.",
  'tools.parameters':
    'A tool requires a schema of an object. The schema of a strict tool contains only keywords that the API supports.',
  'tools.cache': 'Only models of Anthropic accept cache points among tools.',
  'tools.cache.ttl': 'Content is kept for five minutes or an hour.',
  'tools.extensions': "The format cannot express another dialect's members.",
  toolChoice: 'A choice is omitted if there are no tools, and no choice can forbid calls.',
  'toolChoice.parallel': 'The format cannot express whether several calls at once are allowed.',
  'toolChoice.allowed': 'A choice is one tool, any tool, or left to the model.',
  'sampling.maxTokens':
    'If absent, a Claude model gets the maximum that it supports. Nova rejects it at its highest effort.',
  'sampling.temperature':
    "It is at most 1. With Claude's thinking, and for Claude models since Opus 4.7, only 1 is accepted. Nova rejects it at its highest effort, and GPT models always.",
  'sampling.topP':
    'Claude rejects it together with a temperature, and low values with thinking. Models since Opus 4.7, Nova at its highest effort, and GPT models reject every value.',
  'sampling.topK':
    'Some models do not accept it, nor does Nova at its highest effort. Claude rejects it with thinking, and always since Opus 4.7.',
  'sampling.stop': "Claude rejects blank stop sequences, and OpenAI's models all.",
  'sampling.seed': 'The API has no such parameter.',
  'sampling.presencePenalty': 'The API has no such parameter.',
  'sampling.frequencyPenalty': 'The API has no such parameter.',
  'sampling.count': 'The format has only one choice.',
  answerFormat: 'A schema can be requested; JSON without a schema only from some models.',
  'answerFormat.schema':
    'Objects have no additional members, and keywords that the API rejects are moved to descriptions.',
  'answerFormat.strict': 'A schema is always enforced.',
  reasoning: 'Models accept an effort, a budget or neither, and not every effort.',
  user: 'Only Claude models accept a user.',
  serviceTier: 'The supported tiers are default, flex, priority and reserved.',
  logprobs: 'The format has no log probabilities.',
  modalities: 'The format has no such parameter.',
  audio: 'The format has no such parameter.',
  cacheKey: 'The format has no such parameter.',
  verbosity: 'The format has no such parameter.',
  streamUsage: 'Every stream includes usage.',
  extensions: "The format cannot express another dialect's fields.",
} as const;

const answer = {
  id: 'An answer has no id.',
  model: 'An answer does not name its model.',
  choices: 'The format has only one choice.',
  'choices.parts':
    'A refusal becomes text, arguments are a JSON object, and media other than images in Base64 cannot be sent.',
  'choices.parts.extensions': "The format cannot express another dialect's members.",
  'choices.finish': 'There are nine finish reasons: a refusal becomes a filtered answer.',
  'choices.extensions': "The format cannot express another dialect's fields, and a stream carries none.",
  created: 'An answer has no time.',
  usage: 'Every answer includes it, with zeros if it was absent.',
  'usage.reasoning': 'Tokens of reasoning are not counted separately.',
  'usage.inputAudio': 'Tokens of audio are not counted separately.',
  'usage.inputImage': 'Tokens of images are not counted separately.',
  'usage.outputAudio': 'Tokens of audio are not counted separately.',
  'usage.outputImage': 'Tokens of images are not counted separately.',
  'usage.calls': "Calls of the provider's tools are not counted.",
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = listLosses({ ...request, ...answer });
