import { afterEach, expect, it } from 'vitest';
import { RecordWriter } from '../../../../plugins/sdk/binary/record-writer.ts';
import type { ThreadSettings } from '../../../../plugins/telemetry/otlp/export/messages.ts';
import { writeRecord } from '../../../../plugins/telemetry/otlp/records/record-codec.ts';
import type { WrittenRecord } from '../../../../plugins/telemetry/otlp/records/records.ts';
import { startTelemetryThread, type TelemetryThread } from '../../../../plugins/telemetry/otlp/telemetry-thread.ts';
import {
  type OtlpReceiver,
  type ReceiverOptions,
  startOtlpReceiver,
} from '../../../support/telemetry/otlp-receiver.ts';
import { encodeRejection } from '../../../support/telemetry/otlp-wire.ts';
import { sampleAttempt, sampleRequest } from '../../../support/telemetry/telemetry-records.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

const module = new URL('../../../../runtime/usage/answer-reader.ts', import.meta.url).href;

let receiver: OtlpReceiver | undefined;
let thread: TelemetryThread | undefined;
afterEach(async () => {
  await thread?.close();
  receiver?.close();
});

const start = async (messages: string[], options: ReceiverOptions = {}): Promise<TelemetryThread> => {
  receiver = await startOtlpReceiver(options);
  const settings: ThreadSettings = {
    url: receiver.url,
    headers: {},
    serviceName: 'test',
    serviceVersion: '1.2.3',
    traces: true,
    metrics: true,
    timeOrigin: 0,
    reading: { module, prices: { openai: { 'the-model': { input: 100, output: 200 } } } },
  };
  thread = await startTelemetryThread(settings, (text) => messages.push(text));
  return thread;
};

const give = ({ next, take }: TelemetryThread, records: readonly WrittenRecord[]): void => {
  const writer = new RecordWriter();
  for (const record of records) writeRecord(writer, record);
  const { length } = writer;
  const batch = next(length);
  if (batch === undefined) throw new Error('There is no room.');
  writer.take(length, batch);
  take(batch.subarray(0, length));
};

const unread = (request: string, answer: string): WrittenRecord => ({
  kind: 'unread',
  facts: sampleAttempt(),
  unread: { dialect: 'chat', request: Buffer.from(request), answer: Buffer.from(answer) },
});

const requests = (count: number): readonly WrittenRecord[] =>
  Array.from({ length: count }, (_each, at) => sampleRequest({ path: `/${at}` }));

it('sends everything that it received before it was closed, and reports how much is waiting', async () => {
  const messages: string[] = [];
  const started = await start(messages);
  const { waitingBytes, close } = started;
  give(started, requests(700));
  expect(waitingBytes()).toBeGreaterThan(0);
  await expect.poll(waitingBytes).toBe(0);
  give(started, requests(30));
  await close();
  expect(receiver?.spans.map(({ attributes }) => attributes['url.path']).slice(-30)).toEqual(
    Array.from({ length: 30 }, (_each, at) => `/${at}`),
  );
  expect(receiver?.spans).toHaveLength(730);
  expect(messages).toEqual([]);
});

it('reads the usage of attempts from their answers', async () => {
  const messages: string[] = [];
  const started = await start(messages);
  const request = JSON.stringify({ model: 'asked', messages: [{ role: 'user', content: 'é'.repeat(40) }] });
  const answer = JSON.stringify({
    ...openaiAnswer({ text: 'é'.repeat(8), model: 'the-model' }),
    usage: { prompt_tokens: 20, completion_tokens: 5 },
  });
  const silent = JSON.stringify({ ...openaiAnswer({ text: 'é'.repeat(8) }), usage: null });
  give(
    started,
    [answer, silent, 'no {'].map((each) => unread(request, each)),
  );
  await expect.poll(started.waitingBytes).toBe(0);
  await started.close();
  const used = receiver?.spans.map(({ name, attributes }) => [
    name,
    attributes['gen_ai.response.model'],
    attributes['gen_ai.usage.input_tokens'],
    attributes['gen_ai.usage.output_tokens'],
    attributes['gatewright.cost.nano_usd'],
    attributes['gen_ai.response.finish_reasons'],
  ]);
  expect(used).toEqual([
    ['chat asked', 'the-model', 20, 5, 3_000_000, ['stop']],
    // Without reported usage, it is estimated from the request and the text of the answer.
    ['chat asked', 'gpt-4o-mini-2024-07-18', 23, 4, expect.any(Number), ['stop']],
    ['chat asked', 'asked', 23, 0, undefined, undefined],
  ]);
  expect(messages).toEqual([]);
});

it('logs that spans are dropped because the receiver is too slow', async () => {
  const messages: string[] = [];
  const started = await start(messages, { hangs: true });
  for (let batch = 0; batch < 6; batch += 1) {
    give(started, requests(1000));
    await expect.poll(started.waitingBytes).toBe(0);
  }
  await expect.poll(() => messages).toHaveLength(1);
  expect(messages[0]).toMatch(/^Spans are dropped, because the receiver takes them more slowly than they come\. /);
  await started.close();
  // Of 6,000 spans, 1,024 are being sent and 4,096 wait.
  expect(messages.slice(1)).toEqual([
    '880 spans were dropped.',
    'The last traces and metrics are lost: the receiver did not answer within 2 s.',
  ]);
});

it.each<[string, string | Uint8Array, readonly string[]]>([
  ['spans', encodeRejection(2, 'a\u001bb'), ['2 of one export: "a\\u001bb"']],
  ['spans without a word', encodeRejection(2, ''), ['2 of one export: ""']],
  ['none, with advice', encodeRejection(0, 'Shorter names are better.'), []],
  ['a number below 0', encodeRejection(-1, ''), []],
  ['no spans, in HTML', '<html>', []],
  ['no spans, in JSON', '{}', []],
  ['a part of an answer', encodeRejection(2, 'cut').subarray(0, 5), []],
  ['nothing', '', []],
])('logs the first rejected spans if the receiver rejects %s', async (_name, answer, expected) => {
  const messages: string[] = [];
  const started = await start(messages, { answer });
  give(started, requests(1100));
  await started.close();
  expect(receiver?.spans).toHaveLength(1100);
  expect(messages).toEqual(expected.map((text) => expect.stringContaining(`has rejected spans, ${text}.`)));
});

it('logs once that it has failed, and then nothing waits for it', async () => {
  const messages: string[] = [];
  const started = await start(messages);
  const { waitingBytes, close } = started;
  const other = Buffer.from(new SharedArrayBuffer(8)).fill(7);
  started.take(other);
  started.take(other);
  await expect.poll(() => messages).toHaveLength(1);
  expect(messages[0]).toMatch(/^Traces and metrics are no longer sent, and requests are served without them/);
  give(started, requests(1));
  expect(waitingBytes()).toBe(0);
  await close();
  expect(messages).toHaveLength(1);
});
