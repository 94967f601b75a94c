import type { Loss } from '../../sdk/dialect.ts';

const request = {
  'system.text': 'The API refuses empty texts.',
  turns: 'Turns of one side that follow each other are one message, results first; an empty turn is left out.',
  'turns.name': 'Speakers have no names.',
  'turns.parts.text': 'The API refuses empty texts.',
  'turns.parts.media': 'There is no audio.',
  'turns.parts.detail': 'Images have no detail.',
  'turns.parts.name': 'Only documents have titles.',
  'turns.parts.mimeType': 'A document that is a text is text/plain.',
  'turns.parts.arguments': 'A call has an input, a JSON object, in place of the text that the model wrote.',
  'turns.parts.reasoning': 'The API takes back only reasoning that it signed.',
  'turns.parts.refusal': 'A refusal is a text.',
  'turns.parts.other': "Another dialect's part has no words here.",
  'turns.parts.parts.text': 'The API refuses empty texts.',
  'turns.parts.parts.media': 'There is no audio.',
  'turns.parts.parts.detail': 'Images have no detail.',
  'turns.parts.parts.name': 'Only documents have titles.',
  'turns.parts.parts.mimeType': 'A document that is a text is text/plain.',
  'turns.parts.parts.other': "Another dialect's part has no words here.",
  tools: "Another dialect's tool has no words here.",
  'tools.parameters': 'A tool needs a schema, and that of an object.',
  toolChoice: 'Without tools there is nothing to choose.',
  'toolChoice.parallel': 'Where no tool may be called, it is not told how many.',
  'sampling.maxTokens': 'The API asks for it; 4096 where absent, and more where a thinking budget needs room.',
  'sampling.temperature': 'It ends at 1.',
  'sampling.topP': 'Models refuse it together with a temperature.',
  'sampling.seed': 'The API has no such parameter.',
  'sampling.presencePenalty': 'The API has no such parameter.',
  'sampling.frequencyPenalty': 'The API has no such parameter.',
  'sampling.count': 'There is one answer.',
  answerFormat: 'Only a schema can be asked for.',
  'answerFormat.name': 'A schema has no name.',
  'answerFormat.strict': 'A schema always holds.',
  'answerFormat.description': 'A schema has no description of its own.',
  reasoning: 'The effort "none" turns thinking off, "minimal" is "low", and older models know budgets only.',
  streamUsage: 'Every stream tells usage.',
  extensions: "Another dialect's fields have no words here.",
} as const;

const answer = {
  choices: 'There is one answer.',
  'choices.parts': 'A refusal is a text, arguments are a JSON object, and media have no form.',
  'choices.finish': 'A finish is one of six words: a filter is a refusal.',
  'choices.extensions': "Another dialect's fields have no words here, and a stream carries none.",
  created: 'An answer does not tell its time.',
  usage: 'Every answer has it; zeros where it was absent.',
  'usage.raw': 'It is what stands on the wire.',
} as const;

/** What the format cannot say, by the member of the conversation or the answer. */
export const losses: readonly Loss[] = Object.entries({ ...request, ...answer }).map(([member, why]) => ({
  member,
  why,
}));
