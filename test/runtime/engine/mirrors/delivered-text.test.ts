import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { deliveredText } from '../../../../runtime/engine/mirrors/delivered-text.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import { unfoldAnswer } from '../../../../schema/conversation/unfold-answer.ts';

const options = { provider: 'p', strict: false, streamUsage: true, id: 'answer_1', created: 1 } as const;
const said: Part = { kind: 'text', text: 'Hello there.' };
const more: Part = { kind: 'text', text: 'More.' };
const thought: Part = { kind: 'reasoning', text: 'I think.' };
const call: Part = { kind: 'tool-call', id: 'c', name: 'find', arguments: '{"city":"Rome"}' };

const toAnswer = (parts: readonly Part[]): Answer => ({
  ...{ id: 'a', model: 'm', created: 1, extensions: {} },
  choices: [{ index: 0, parts, finish: { reason: parts.includes(call) ? 'tool-calls' : 'stop' } }],
});

const dialects = builtinDialects.flatMap((dialect) => {
  const codec = findAnswerCodec(dialect);
  return codec === undefined ? [] : [{ id: dialect.id, dialect, codec }];
});

describe.each(dialects)('an answer in $id', ({ dialect, codec }) => {
  it.each([
    ['one text', [said]],
    ['several texts', [said, more]],
    ['reasoning', [thought, said]],
    ['a call', [said, call]],
  ])('has the same text as a stream and as a whole: %s', (_, parts) => {
    const answer = toAnswer(parts);
    const whole = Buffer.from(JSON.stringify(codec.encodeAnswer(answer, options)));
    const encoder = codec.streamEncoder(options);
    const framing = dialect.framing ?? 'sse';
    const writer = framings[framing].createWriter();
    const frames = [...unfoldAnswer(answer).flatMap((event) => encoder.push(event)), ...encoder.end()];
    const stream = Buffer.concat([writer.write(frames), writer.end()]);
    const text = deliveredText({ bytes: whole }, dialect);
    expect(text).toContain('Hello there.');
    expect(deliveredText({ bytes: stream, framing }, dialect)).toBe(text);
  });
});

it('has no text if a stream cannot be read', () => {
  const [{ dialect } = expect.unreachable()] = dialects;
  expect(deliveredText({ bytes: Buffer.from('data: {\n\n'), framing: 'sse' }, dialect)).toBeUndefined();
});
