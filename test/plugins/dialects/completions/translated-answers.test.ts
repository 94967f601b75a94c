import { describe, expect, it } from 'vitest';
import { completions } from '../../../../plugins/dialects/completions/completions.ts';
import type { AnswerCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { answerOptions, chatCodec, here, responsesCodec } from '../support/codecs.ts';

const { answers } = completions;
if (answers === undefined) throw new Error('Completions have no answers.');
const codec: AnswerCodec = answers;

const streamed = (...events: readonly AnswerEvent[]): readonly (JsonObject | undefined)[] => {
  const encoder = codec.streamEncoder(answerOptions);
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(({ data }) => parseObject(data));
};

const start: AnswerEvent = { kind: 'start', id: 'a', model: 'm', usage: { input: 7, output: 0 } };
const text: AnswerEvent = { kind: 'text', choice: 0, block: 0, text: 'upon' };
const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };

describe('an answer of a conversation, for a client of text completions', () => {
  it.each([
    [true, 'stop'],
    [false, 'tool_calls'],
  ])('ends with a reason that a completion has, although the model called a tool, strict: %s', (strict, reason) => {
    const called = { reason: 'tool-calls', raw: 'tool_calls' } as const;
    const options = { ...answerOptions, strict };
    const answer = { id: 'a', model: 'm', choices: [{ index: 0, parts: [], finish: called }], extensions: {} };
    expect(codec.encodeAnswer(answer, options)).toMatchObject({ choices: [{ finish_reason: reason }] });
    const frames = codec.streamEncoder(options).push({ kind: 'finish', choice: 0, finish: called });
    expect(frames.map(({ data }) => parseObject(data))).toMatchObject([{ choices: [{ finish_reason: reason }] }]);
  });

  it('has one id and a model in all chunks, although the stream starts late', () => {
    const frames = streamed(text, start, text, finish, { kind: 'end' }).slice(0, -1);
    expect(frames).toHaveLength(4);
    for (const frame of frames) expect(frame).toMatchObject({ id: answerOptions.id, model: expect.any(String) });
  });

  it('has the counts that come with the start of a stream', () => {
    expect(streamed(start, text, finish, { kind: 'end' }).at(-2)).toMatchObject({ usage: { prompt_tokens: 7 } });
  });

  it('ends with an error if a choice has begun but not finished', () => {
    for (const events of [[start], [start, text], [start, text, finish, { ...text, choice: 1 }]])
      expect(streamed(...events, { kind: 'end' }).at(-1)).toMatchObject({ error: { code: 'stream-cut' } });
  });
});

it.each([
  ['chat', chatCodec.decodeAnswer({ id: 'a', model: 'm', created: 3.7, choices: [] }, here)],
  ['completions', codec.decodeAnswer({ id: 'a', model: 'm', created: 3.7, choices: [] }, here)],
  ['responses', responsesCodec.decodeAnswer({ id: 'a', model: 'm', created_at: 3.7, output: [] }, here)],
])('an answer of %s was created at a whole second, although its provider writes a fraction', (_id, answer) => {
  expect(answer.created).toBe(3);
});
