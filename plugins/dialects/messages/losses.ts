import type { Loss } from '../../sdk/dialect/dialect.ts';

const request = {
  system:
    "Instructions before the first turn are part of it, whoever's they are, and those without a turn are said by the user.",
  'system.text': 'The API rejects blank texts.',
  turns: 'Consecutive turns of one side are one message, results first; an empty turn is omitted.',
  'turns.name': 'Speakers have no names.',
  'turns.id': 'Messages have no ids.',
  'turns.phase': 'Messages have no phase.',
  'turns.role':
    'Instructions in their place are those of the system, and only newer models take them, after the user and before the model; elsewhere the user says them.',
  'turns.parts.text':
    'The API rejects blank texts, and white space at the end of an answer that Claude is to go on with.',
  'turns.parts.citations': 'Of earlier citations, only those of documents can be sent, with the cited words.',
  'turns.parts.logprobs': 'Texts have no log probabilities.',
  'turns.parts.media': 'The format has no audio and no video, and a file that another vendor stores cannot be sent.',
  'turns.parts.detail': 'Images have no detail.',
  'turns.parts.name': 'Only documents have titles, and a result does not repeat its tool.',
  'turns.parts.mimeType': 'A plain-text document is always text/plain.',
  'turns.parts.arguments': 'A call has a JSON object as its input instead of the text that the model wrote.',
  'turns.parts.reasoning':
    'The API accepts only reasoning that it signed or redacted, and none at the end of a message.',
  'turns.parts.summary': 'Redacted reasoning has no summary.',
  'turns.parts.server-tool-call': "Another provider's own tools have no place in a history.",
  'turns.parts.server-tool-result': "The result of another provider's own tool becomes text.",
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.parts': 'A failed result that says nothing gets a text, which the API requires.',
  'turns.parts.parts.text': 'The API rejects blank texts.',
  'turns.parts.parts.media':
    'The format has no audio and no video, and a file that another vendor stores cannot be sent.',
  'turns.parts.parts.json': 'A value is written as its JSON.',
  'turns.parts.parts.detail': 'Images have no detail.',
  'turns.parts.parts.name': 'Only documents have titles.',
  'turns.parts.parts.mimeType': 'A plain-text document is always text/plain.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.parameters': 'A tool requires a schema of an object, which in a strict one has only rules that the API knows.',
  'tools.format': 'The text of a custom tool cannot be constrained: the tool is a function with one string.',
  toolChoice: 'Without tools there is nothing to choose.',
  'toolChoice.parallel': 'It is not sent if no tool may be called.',
  'toolChoice.allowed': 'Only the tools that may be called are sent.',
  'sampling.maxTokens': "The API requires it; the model's own limit if absent, or 8192 where that is not known.",
  'sampling.temperature': 'It is at most 1; beside thinking, and for models since Opus 4.7, only 1 is accepted.',
  'sampling.topP': 'Models reject it together with a temperature, a low one beside thinking, and any since Opus 4.7.',
  'sampling.topK': 'Models reject it beside thinking, and those since Opus 4.7 always.',
  'sampling.stop': 'The API rejects blank stop sequences.',
  'sampling.seed': 'The API has no such parameter.',
  'sampling.presencePenalty': 'The API has no such parameter.',
  'sampling.frequencyPenalty': 'The API has no such parameter.',
  'sampling.count': 'The format has only one choice.',
  answerFormat: 'Only a schema can be requested.',
  'answerFormat.schema': 'Objects have no further members, and rules that the API refuses are said in descriptions.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema is always enforced.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning:
    'The effort "none" turns thinking off, "minimal" is "low", "xhigh" is "max" for models without it, older models support only budgets, newer ones none, and nothing is thought in a turn that another service began or where a call is forced.',
  streamUsage: 'Every stream includes usage.',
  serviceTier: 'The API has only `auto` and its standard tier.',
  logprobs: 'The API has no log probabilities.',
  modalities: 'The answer is always text.',
  audio: 'The answer is always text.',
  cacheKey: 'Prefixes are marked instead of named.',
  verbosity: 'The API has no such parameter.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  choices: 'The format has only one choice.',
  'choices.parts':
    "A refusal becomes text, a summary is the thinking, arguments are a JSON object, a citation supports all of its text, and media, log probabilities and other providers' own tools cannot be sent.",
  'choices.finish': 'A filter becomes a refusal, which alone has details; a call that cannot be read ends the turn.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer has no time.',
  usage: 'Every answer has it, with zeros if it was absent.',
  'usage.inputAudio': 'Tokens of audio are not counted apart.',
  'usage.inputImage': 'Tokens of images are not counted apart.',
  'usage.outputAudio': 'Tokens of audio are not counted apart.',
  'usage.outputImage': 'Tokens of images are not counted apart.',
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** The losses of the format, by the affected member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
