import { expect, it } from 'vitest';
import { builtinDialects } from '../../../../../plugins/dialects/builtin-dialects.ts';
import { chat } from '../../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../../../plugins/dialects/converse/converse.ts';
import { messages } from '../../../../../plugins/dialects/messages/messages.ts';
import type { ConversationCodec } from '../../../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { textAnswer } from '../../../../../plugins/testkit/samples/sample-answers.ts';
import type { AnswerEvent } from '../../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { chatCodec, messagesCodec } from '../../../../plugins/dialects/support/codecs.ts';
import { plainFrames } from '../../../../support/continued/plain-frames.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { speaking } from '../../../../support/plugins/speaking.ts';
import { TornBench } from '../../../../support/torn/torn-bench.ts';

const options = { provider: 'test', strict: true, streamUsage: true };
const replacing = { output_guardrails: [{ 'default.regexReplace': { rule: '/[aeiou]{2}/g' } }] };

it('a stream that is complete for its client does not go on after bytes that are not a frame', async () => {
  const bench = new TornBench({ client: chat, upstream: converse, config: replacing });
  const writer = framings['aws-eventstream'].createWriter();
  const whole = writer.write(plainFrames(converse, 'It is water.'));
  const { end, frames, again } = await bench.run([whole, Buffer.alloc(40, 7)], 'end');
  expect(end).toBe('complete');
  expect(frames.filter((frame) => chat.classify(frame) === 'error')).toEqual([]);
  expect(again).not.toBe('HIT');
});

it('a stream whose content comes before its start has usage in the first event for clients that require it', async () => {
  const bench = new TornBench({ client: messages, upstream: cohere });
  const frames = plainFrames(cohere, 'It is water.').filter(({ event }) => event !== 'message-start');
  const outcome = await bench.run([framings.sse.createWriter().write(frames)], 'end');
  expect(JSON.parse(outcome.frames[0]?.data ?? '')).toMatchObject({
    ...{
      type: 'message_start',
      message: { usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) } },
    },
  });
  expect(outcome.frames.filter(({ event }) => event === 'message_start')).toHaveLength(1);
});

it.each([chat, messages])('the status 304 is not an answer for clients of $id', async (client) => {
  const running = runConfig(
    { provider: 'speaker' },
    { upstream: () => stubAnswer({}, { status: 304 }), plugins: [speaking(chat)] },
  );
  const exchange = sampleExchange(
    { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
    { route: { operation: 'converse', dialect: client.id, model: 'm', stream: false } },
  );
  const { status, body } = await running.handle(exchange);
  expect(status).toBe(502);
  expect(body.kind === 'bytes' && body.bytes.toString()).toContain('unreadable-answer');
});

it.each(
  builtinDialects.flatMap((dialect) =>
    dialect.conversation === undefined ? [] : [{ id: dialect.id, codec: dialect.conversation }],
  ),
)('counts of $id that no answer can have are no usage', ({ codec }) => {
  const answer = codec.encodeAnswer({ ...textAnswer('Hi.'), usage: { input: 1357, output: 2468 } }, options);
  const text = JSON.stringify(answer);
  expect(codec.decodeAnswer(JSON.parse(text), { scope: 'here' }).usage).toMatchObject({ input: 1357, output: 2468 });
  for (const count of ['-9', '0.5', '1e15']) {
    const odd = JSON.parse(text.replaceAll(/2468|3825/g, count));
    expect(codec.decodeAnswer(odd, { scope: 'here' }).usage, count).toBeUndefined();
  }
});

const encoded = (codec: ConversationCodec, events: readonly AnswerEvent[]): readonly JsonObject[] => {
  const encoder = codec.streamEncoder(options);
  const ended: readonly AnswerEvent[] = [{ kind: 'finish', choice: 0, finish: { reason: 'stop' } }, { kind: 'end' }];
  return [...events, ...ended].flatMap((event) => encoder.push(event)).map(({ data }) => parseObject(data) ?? {});
};

it('a chat stream keeps the id with which it began if its provider starts again', () => {
  const events: readonly AnswerEvent[] = [
    { kind: 'start', id: 'first', model: 'm', usage: { input: 3, output: 0 } },
    { kind: 'text', choice: 0, block: 0, text: 'It ' },
    { kind: 'start', id: 'second', model: 'n' },
    { kind: 'text', choice: 0, block: 0, text: 'rains.' },
  ];
  const chunks = encoded(chatCodec, events).filter(({ id }) => id !== undefined);
  expect(new Set(chunks.map(({ id, model }) => `${id} ${model}`))).toEqual(new Set(['first m']));
  expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 3 } });
});

it('a text in a block of reasoning is a block of its own for clients of Anthropic', () => {
  const events: readonly AnswerEvent[] = [
    { kind: 'start', id: 'a', model: 'm', usage: { input: 3, output: 0 } },
    { kind: 'reasoning', choice: 0, block: 0, text: 'Hm.' },
    { kind: 'text', choice: 0, block: 0, text: 'It rains.' },
  ];
  const frames = encoded(messagesCodec, events).filter(({ type }) => String(type).startsWith('content_block'));
  expect(frames).toMatchObject([
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking' } },
    { index: 0, delta: { type: 'thinking_delta' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text' } },
    { index: 1, delta: { type: 'text_delta', text: 'It rains.' } },
    { type: 'content_block_stop', index: 1 },
  ]);
});
