import { describe, expect, it } from 'vitest';
import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { ToolCallPart } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import {
  answerOptions,
  answerVia,
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
  streamVia,
} from './support/codecs.ts';

const codecs = { chatCodec, cohereCodec, converseCodec, geminiCodec, messagesCodec, responsesCodec };

/** Answers of Converse have no id. */
const withoutIds: ReadonlySet<string> = new Set(['converseCodec']);

const call: ToolCallPart = { kind: 'tool-call', id: '', name: 'f', arguments: '{"a":1}' };
const finish = { reason: 'tool-calls' } as const;

const eventsOf = (id: string): readonly AnswerEvent[] => [
  { kind: 'start', id, model: 'm' },
  ...[0, 1].flatMap((block): readonly AnswerEvent[] => [
    { kind: 'tool-call', choice: 0, block, id: '', name: 'f' },
    { kind: 'tool-arguments', choice: 0, block, text: '{"a":1}' },
    { kind: 'block-end', choice: 0, block },
  ]),
  { kind: 'finish', choice: 0, finish },
  { kind: 'end' },
];

const toIds = ({ choices }: Answer): readonly string[] =>
  choices.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : [])));

const bare = { ...answerOptions, id: 'unused' };

describe.each(Object.entries(codecs))('calls without ids that %s decodes', (name, codec) => {
  const whole = (id: string): readonly string[] => {
    const answer: Answer = { id, model: 'm', choices: [{ index: 0, parts: [call, call], finish }], extensions: {} };
    return toIds(codec.decodeAnswer(codec.encodeAnswer(answer, bare), here));
  };

  const streamed = (id: string): readonly string[] => {
    const [encoder, decoder] = [codec.streamEncoder(bare), codec.streamDecoder(here)];
    const frames = eventsOf(id).flatMap((event) => encoder.push(event));
    return toIds(foldAnswer([...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]));
  };

  it.each([
    ['a whole answer', whole],
    ['a stream', streamed],
  ])('have ids of their own in %s, which no other answer has', (_, read) => {
    const long = 'chatcmpl-0123456789abcdef:0123456789abcdef';
    const ids = [...read('a-1'), ...(withoutIds.has(name) ? [] : [...read('a-2'), ...read(long)])];
    expect(ids.length).toBe(withoutIds.has(name) ? 2 : 6);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
  });
});

it("have ids of their own if they have Mistral's default, which is the text null", () => {
  const piece = (name: string) => ({ id: 'null', function: { name, arguments: '{"a":1}' } });
  const tool_calls = [piece('f'), piece('g')];
  const chunk = { id: 'x', model: 'm', choices: [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }] };
  const stream = streamVia(chatCodec, messagesCodec, `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  const whole = { id: 'x', model: 'm', choices: [{ index: 0, message: { tool_calls }, finish_reason: 'tool_calls' }] };
  for (const text of [stream, JSON.stringify(answerVia(chatCodec, messagesCodec, whole))])
    expect(text.match(/"id":"[^"]+","name":"."/g)).toEqual([
      '"id":"gw-call-x-0","name":"f"',
      '"id":"gw-call-x-1","name":"g"',
    ]);
});
