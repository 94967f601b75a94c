import type { Loss } from '../../sdk/dialect.ts';

const request = {
  'system.text': 'The API rejects empty texts.',
  turns: 'Consecutive turns of one side are one message, results first; an empty turn is omitted.',
  'turns.name': 'Speakers have no names.',
  'turns.parts.text': 'The API rejects empty texts.',
  'turns.parts.media': 'The format has no audio.',
  'turns.parts.detail': 'Images have no detail.',
  'turns.parts.name': 'Only documents have titles.',
  'turns.parts.mimeType': 'A plain-text document is always text/plain.',
  'turns.parts.arguments': 'A call has a JSON object as its input instead of the text that the model wrote.',
  'turns.parts.reasoning': 'The API accepts only reasoning that it signed.',
  'turns.parts.refusal': 'A refusal becomes text.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.parts.text': 'The API rejects empty texts.',
  'turns.parts.parts.media': 'The format has no audio.',
  'turns.parts.parts.detail': 'Images have no detail.',
  'turns.parts.parts.name': 'Only documents have titles.',
  'turns.parts.parts.mimeType': 'A plain-text document is always text/plain.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.parameters': 'A tool requires a schema of an object.',
  toolChoice: 'Without tools there is nothing to choose.',
  'toolChoice.parallel': 'It is not sent if no tool may be called.',
  'sampling.maxTokens': 'The API requires it; 4096 if absent, and more if a thinking budget requires it.',
  'sampling.temperature': 'It is at most 1.',
  'sampling.topP': 'Models reject it together with a temperature.',
  'sampling.seed': 'The API has no such parameter.',
  'sampling.presencePenalty': 'The API has no such parameter.',
  'sampling.frequencyPenalty': 'The API has no such parameter.',
  'sampling.count': 'The format has only one choice.',
  answerFormat: 'Only a schema can be requested.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema is always enforced.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning: 'The effort "none" turns thinking off, "minimal" is "low", and older models support only budgets.',
  streamUsage: 'Every stream includes usage.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  choices: 'The format has only one choice.',
  'choices.parts': 'A refusal becomes text, arguments are a JSON object, and media cannot be sent.',
  'choices.finish': 'A finish is one of six reasons: a filter becomes a refusal.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer has no time.',
  usage: 'Every answer has it, with zeros if it was absent.',
  'usage.raw': 'It is written in the format of the dialect.',
} as const;

/** What the format cannot express, by member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
