import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';

const base: Answer = {
  id: 'answer-1',
  model: 'a-model',
  created: 1_767_225_600,
  choices: [{ index: 0, parts: [{ kind: 'text', text: 'Hello, wörld 👋' }], finish: { reason: 'stop' } }],
  usage: { input: 3, output: 2 },
  extensions: {},
};

/** One answer for each feature of a dialect, by description. */
export const sampleAnswers: Readonly<Record<string, Answer>> = {
  'a plain answer': base,
  'an answer cut at its length': {
    ...base,
    choices: [{ index: 0, parts: [{ kind: 'text', text: 'Hello' }], finish: { reason: 'length' } }],
  },
  'a tool call': {
    ...base,
    choices: [
      {
        index: 0,
        parts: [{ kind: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' }],
        finish: { reason: 'tool-calls' },
      },
    ],
  },
  'a text and two tool calls': {
    ...base,
    choices: [
      {
        index: 0,
        parts: [
          { kind: 'text', text: 'Let me look.' },
          { kind: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' },
          { kind: 'tool-call', id: 'call_2', name: 'time', arguments: '{}' },
        ],
        finish: { reason: 'tool-calls' },
      },
    ],
  },
};

/** Returns the events of a stream with these words. */
export const wordEvents = (words: readonly string[], model: string = base.model): readonly AnswerEvent[] => [
  { kind: 'start', id: base.id, model, created: 1_767_225_600 },
  ...words.map((text) => ({ kind: 'text', choice: 0, block: 0, text }) as const),
  { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
  { kind: 'usage', usage: { input: 3, output: words.length } },
  { kind: 'end' },
];

/** Returns a whole answer with this text. */
export const textAnswer = (text: string, model: string = base.model): Answer => ({
  ...base,
  model,
  choices: [{ index: 0, parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
});
