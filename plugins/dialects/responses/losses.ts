import type { Loss } from '../../sdk/dialect/dialect.ts';

const request = {
  system: 'An instruction before all other turns is read back as a part of the system prompt.',
  'system.text': 'An empty text is omitted.',
  'system.cache': 'Only some models have cache hints.',
  turns:
    'Items of the model that follow each other are one turn, and so are results; an empty turn is omitted, and media or texts beside results are a turn of their own.',
  'turns.name': 'Speakers have no names.',
  'turns.id': "Only the model's messages have ids, which begin with msg_.",
  'turns.phase': "Only the model's messages have a phase.",
  'turns.parts.text': 'An empty text is omitted.',
  'turns.parts.cache': 'Only some models have cache hints.',
  'turns.parts.citations':
    "Only the model's texts have sources and log probabilities: pages with title and span, and files with their place.",
  'turns.parts.media': 'There is no video and no media of the model; a plain-text document becomes text.',
  'turns.parts.detail': 'Only images have a detail.',
  'turns.parts.name': 'Only inline documents have names, which they require; results have none.',
  'turns.parts.tool-call': 'Only the model calls tools.',
  'turns.parts.failed': 'A result does not say that the tool failed.',
  'turns.parts.reasoning': 'A provider can read only reasoning that it encrypted.',
  'turns.parts.bound': 'Every bound value is sent as encrypted content.',
  'turns.parts.server-tool-call': "Another provider's tools are unknown here.",
  'turns.parts.server-tool-result': "Another provider's tools are unknown here.",
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.parts.text': 'An empty text is omitted.',
  'turns.parts.parts.cache': 'Only some models have cache hints.',
  'turns.parts.parts.media': 'A result has neither audio nor video; a plain-text document becomes text.',
  'turns.parts.parts.detail': 'Only images have a detail.',
  'turns.parts.parts.name': 'Only inline documents have names, which they require.',
  'turns.parts.parts.json': 'A JSON value is sent as text.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.cache': 'Tools have no cache hints.',
  'tools.strict':
    'Functions are strict unless they say that they are not, so one that says nothing is sent as not strict.',
  toolChoice: 'Without tools there is nothing to choose, and only a choice of the model has allowed tools.',
  'sampling.temperature': 'Models that reason have no other than 1.',
  'sampling.topP': 'Models that reason have no such parameter.',
  'sampling.topK': 'The API has no such parameter.',
  'sampling.stop': 'The API has no such parameter.',
  'sampling.seed': 'The API has no such parameter.',
  'sampling.presencePenalty': 'The API has no such parameter.',
  'sampling.frequencyPenalty': 'The API has no such parameter.',
  'sampling.count': 'The format has only one choice.',
  logprobs: 'Models that reason have no such parameter.',
  'answerFormat.name': 'A schema needs a name; without one it is "response".',
  reasoning: 'Only an effort can be expressed, and of those only what the model has.',
  streamUsage: 'Every stream includes usage.',
  modalities: 'Output is text.',
  audio: 'Output is text.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  choices: 'The format has only one choice.',
  'choices.parts':
    'Only images can be sent of media, and only citations of pages and files; tools of other providers are unknown here.',
  'choices.finish': 'A response is complete, cut off by a limit, or filtered; a stop sequence is not included.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer without a time gets one.',
  usage: 'Every answer has it, with zeros if it was absent.',
  'usage.cacheRead': 'It is zero if absent.',
  'usage.cacheWrite': 'It is zero if absent.',
  'usage.reasoning': 'It is zero if absent.',
  'usage.cacheWriteByTtl': 'Tokens that were written to the cache are not distinguished.',
  'usage.inputAudio': 'Tokens are not distinguished by media.',
  'usage.inputImage': 'Tokens are not distinguished by media.',
  'usage.outputAudio': 'Tokens are not distinguished by media.',
  'usage.outputImage': 'Tokens are not distinguished by media.',
  'usage.calls': "Calls of the provider's own tools are counted in the output.",
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
