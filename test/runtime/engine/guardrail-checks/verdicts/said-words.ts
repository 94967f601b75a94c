import type { Answer } from '../../../../../schema/conversation/answer.ts';
import type { Conversation, Part, Turn } from '../../../../../schema/conversation/conversation.ts';

/** Parts and turns that the cases are built from. */
export const say = (text: string): Part => ({ kind: 'text', text });
export const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts });
const model = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });
const called: Part = { kind: 'tool-call', id: 'c', name: 'look', arguments: '{"at":"x"}' };
const result = (text: string): Turn => ({
  role: 'tool',
  parts: [{ kind: 'tool-result', id: 'c', parts: [{ kind: 'text', text }] }],
});
const document = (text: string): Part => ({
  kind: 'media',
  media: 'document',
  name: 'notes.txt',
  source: { kind: 'base64', mimeType: 'text/plain', data: Buffer.from(text).toString('base64') },
});
export const asking = (turns: readonly Turn[], more: Partial<Conversation> = {}): Conversation => ({
  model: 'm',
  system: [],
  turns,
  tools: [{ kind: 'function', name: 'look', parameters: { type: 'object', properties: {} } }],
  sampling: { maxTokens: 9 },
  stream: false,
  extensions: {},
  ...more,
});
export const answering = (...choices: readonly (readonly Part[])[]): Answer => ({
  id: 'a',
  model: 'm',
  choices: choices.map((parts, index) => ({ index, parts, finish: { reason: 'stop' } })),
  usage: { input: 1, output: 1 },
  extensions: {},
});

/** A request and an answer that do not contain the word. */
export const question: Conversation = asking([user(say('Hello.'))]);
export const plain: Answer = answering([say('Hello.')]);

/** Requests that contain the word where checks look. */
export const denied: Readonly<Record<string, Conversation>> = {
  'the last turn': asking([user(say('a bomb'))]),
  'a part of the last turn': asking([user(say('a bomb'), say('Hello.'))]),
  'a turn after tool results': asking([user(say('Hi.')), model(called), result('fine'), user(say('a bomb'))]),
  'a tool result': asking([user(say('Hi.')), model(called), result('a bomb')]),
  'a tool result before a turn': asking([user(say('Hi.')), model(called), result('a bomb'), user(say('Hi.'))]),
  'the arguments of a last call': asking([
    user(say('Hi.')),
    model({ kind: 'tool-call', id: 'c', name: 'look', arguments: '{"at":"a \\u0062omb"}' }),
  ]),
  'the beginning of the answer': asking([user(say('Hi.')), model(say('a bomb'))]),
  'a refusal that is repeated': asking([user(say('Hi.')), model({ kind: 'refusal', text: 'no bomb' })]),
  'the reasoning of a last turn': asking([
    user(say('Hi.')),
    model(
      {
        kind: 'reasoning',
        text: 'a bomb',
        bound: { scope: 'here', kind: 'signature', value: 'c2ln' },
      },
      say('Hi.'),
    ),
  ]),
  'a document beside a question': asking([user(say('Read it.'), document('a bomb'))]),
};

/** Requests that contain the word where checks do not look. */
export const passed: Readonly<Record<string, Conversation>> = {
  'the instructions': asking([user(say('Hi.'))], { system: [{ kind: 'text', text: 'no bomb' }] }),
  'an earlier turn': asking([user(say('a bomb')), model(say('Hm.')), user(say('Hi.'))]),
  'an earlier answer': asking([user(say('Hi.')), model(say('a bomb')), user(say('Hi.'))]),
};

/** Answers that contain the word. */
export const answersDenied: Readonly<Record<string, Answer>> = {
  'its only text': answering([say('a bomb')]),
  'a text after another': answering([say('Hi.'), say('a bomb')]),
  'a refusal': answering([{ kind: 'refusal', text: 'no bomb' }]),
  'the arguments of a call': answering([
    { kind: 'tool-call', id: 'c', name: 'look', arguments: '{"at":"a \\u0062omb"}' },
  ]),
  'another of its choices': answering([say('Hi.')], [say('a bomb')]),
  'a call among texts': answering([say('Hi.'), { kind: 'tool-call', id: 'c', name: 'look', arguments: '{"bomb":1}' }]),
  'its reasoning': answering([{ kind: 'reasoning', text: 'a bomb' }, say('Hi.')]),
};
