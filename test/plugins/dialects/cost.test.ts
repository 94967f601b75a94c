import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Citation, Conversation, Part, Turn } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { processorMs } from '../../support/gateways/processor-time.ts';
import {
  answerOptions,
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
} from './support/codecs.ts';

/** If a cost grows with the square of this number, it takes seconds or minutes; if it grows linearly, a fraction of a second. */
const many = 3000;
const maxMs = 1000;

const numbers = Array.from({ length: many }, (_, index) => index);
const at = (block: number): { readonly choice: 0; readonly block: number } => ({ choice: 0, block });
const call = (block: number, input?: 'text'): AnswerEvent => ({
  kind: 'tool-call',
  ...at(block),
  id: `c${block}`,
  name: 'f',
  ...(input && { input }),
});
const piece = (block: number, text: string): AnswerEvent => ({ kind: 'tool-arguments', ...at(block), text });
const text = (block: number): AnswerEvent => ({ kind: 'text', ...at(block), text: 'a' });
const end = (block: number): AnswerEvent => ({ kind: 'block-end', ...at(block) });
const source: Citation = { url: 'https://a.example', title: 't', span: { from: 0, to: 1 } };

const streams: Readonly<Record<string, readonly AnswerEvent[]>> = {
  'calls one after another': numbers.flatMap((block) => [call(block), piece(block, '{"a":'), piece(block, '1}')]),
  'calls that all start before their arguments': [
    ...numbers.map((block) => call(block)),
    ...numbers.map((block) => piece(block, '{"a":')),
    ...numbers.map((block) => piece(block, '1}')),
  ],
  'a call that stays open during others': [
    call(0),
    ...numbers.slice(1).flatMap((block) => [call(block), piece(block, '{}'), end(block)]),
    piece(0, '{}'),
  ],
  'a call of many pieces': [
    call(0),
    piece(0, '{"a":['),
    ...numbers.flatMap(() => [piece(0, '{"b":'), piece(0, '"xyz"},')]),
    piece(0, '0]}'),
  ],
  'a custom call of many pieces': [call(0, 'text'), ...numbers.map(() => piece(0, 'abcdefghij'.repeat(20))), end(0)],
  'white space after a call': [call(0), piece(0, '{}'), ...numbers.map(() => piece(0, '        '))],
  'many texts, each with a source': numbers.flatMap((block) => [
    text(block),
    { kind: 'citation' as const, ...at(block), citation: source },
  ]),
  'a long text with many sources': [
    { kind: 'text', ...at(0), text: 'abcdefghij'.repeat(many) },
    ...numbers.map(
      (index): AnswerEvent => ({
        kind: 'citation',
        ...at(0),
        citation: { url: `https://a.example/${index}`, span: { from: index * 9, to: index * 9 + 5 } },
      }),
    ),
  ],
};

const turn = (role: Turn['role'], ...parts: readonly Part[]): Turn => ({ role, parts });
const textPart: Part = { kind: 'text', text: 'a' };
const callPart = (index: number): Part => ({ kind: 'tool-call', id: `c${index}`, name: 'f', arguments: '{}' });
const result = (index: number): Part => ({
  kind: 'tool-result',
  id: `c${index}`,
  parts: [{ kind: 'text', text: 'r' }],
});

const requests: Readonly<Record<string, Partial<Conversation>>> = {
  'consecutive user turns': { turns: numbers.map(() => turn('user', textPart)) },
  'consecutive model turns': { turns: numbers.map(() => turn('assistant', textPart)) },
  'instructions after the first turn': {
    turns: [turn('user', textPart), ...numbers.map(() => turn('system', textPart))],
  },
  'calls and results in turns': {
    turns: numbers.flatMap((index) => [turn('assistant', callPart(index)), turn('tool', result(index))]),
  },
  'results in reverse order': {
    turns: [turn('assistant', ...numbers.map(callPart)), turn('tool', ...numbers.toReversed().map(result))],
  },
  'tools that are all allowed': {
    turns: [turn('user', textPart)],
    tools: numbers.map((index) => ({ kind: 'function' as const, name: `f${index}` })),
    toolChoice: { mode: 'auto', allowed: numbers.map((index) => `f${index}`) },
  },
  'documents with the same name': {
    turns: [
      turn(
        'user',
        ...numbers.map(
          (): Part => ({
            kind: 'media',
            media: 'document',
            name: 'a.pdf',
            source: { kind: 'base64', mimeType: 'application/pdf', data: 'AA==' },
          }),
        ),
      ),
    ],
  },
};

const overTheWire = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;

/** Returns the time of one run, or the shorter of two if the first is too long, because other processes may use the machine. */
const toCost = (run: () => void): number => {
  const first = processorMs(run);
  return first < maxMs ? first : Math.min(first, processorMs(run));
};

describe.each<[string, ConversationCodec]>([
  ['chat', chatCodec],
  ['messages', messagesCodec],
  ['responses', responsesCodec],
  ['cohere', cohereCodec],
  ['converse', converseCodec],
  ['gemini', geminiCodec],
])('the cost of large inputs in %s', (_, codec) => {
  it.each(Object.entries(streams))('is less than a second of processor time for a stream: %s', (_name, events) => {
    const all: readonly AnswerEvent[] = [
      { kind: 'start', id: 'i', model: 'm' },
      ...events,
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      { kind: 'end' },
    ];
    const run = (): void => {
      const encoder = codec.streamEncoder({ ...answerOptions, strict: false });
      const frames = [...all.flatMap((event) => encoder.push(event)), ...encoder.end()];
      const decoder = codec.streamDecoder(here);
      const decoded = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
      expect(decoded.at(-1)).toEqual({ kind: 'end' });
      const answer = foldAnswer(decoded);
      codec.decodeAnswer(overTheWire(codec.encodeAnswer(answer, answerOptions)), here);
    };
    expect(toCost(run)).toBeLessThan(maxMs);
  });

  it.each(Object.entries(requests))('is less than a second of processor time for a request: %s', (_name, more) => {
    const plain = {
      model: 'claude-opus-5',
      system: [],
      turns: [],
      tools: [],
      sampling: {},
      stream: false,
      extensions: {},
    };
    const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
    const run = (): void => {
      const { body } = codec.encodeRequest({ ...plain, ...more }, target);
      codec.decodeRequest(overTheWire(body), { ...here, model: 'm', stream: false });
    };
    expect(toCost(run)).toBeLessThan(maxMs);
  });
});

it('does not pass the parts of a request as arguments, because the stack holds a limited number', () => {
  const content = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'a' }));
  const system = messagesCodec.decodeRequest({ model: 'm', max_tokens: 1, messages: [], system: content }, here);
  expect(system.system).toHaveLength(200_000);
  const first = { role: 'system', content };
  expect(chatCodec.decodeRequest({ model: 'm', messages: [first] }, here).system).toHaveLength(200_000);
});
