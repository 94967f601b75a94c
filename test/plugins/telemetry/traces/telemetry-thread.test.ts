import { afterEach, expect, it } from 'vitest';
import { startTelemetryThread, type TelemetryThread } from '../../../../plugins/telemetry/traces/telemetry-thread.ts';
import type { ThreadSettings } from '../../../../plugins/telemetry/traces/thread/messages.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../../support/otlp-receiver.ts';

let receiver: OtlpReceiver | undefined;
let thread: TelemetryThread | undefined;
afterEach(async () => {
  await thread?.close();
  receiver?.close();
});

const start = async (told: string[]): Promise<TelemetryThread> => {
  receiver = await startOtlpReceiver();
  const settings: ThreadSettings = {
    url: receiver.url,
    headers: {},
    serviceName: 'test',
    traces: true,
    metrics: true,
    timeOrigin: 0,
  };
  thread = await startTelemetryThread(settings, (text) => told.push(text));
  return thread;
};

const give = ({ next, take }: TelemetryThread, text: string): void => {
  const batch = next(Buffer.byteLength(text));
  if (batch === undefined) throw new Error('There is no room.');
  take(batch.subarray(0, batch.write(text)));
};

const requests = (count: number): string =>
  Array.from(
    { length: count },
    (_each, at) =>
      `["request",["${'a'.repeat(32)}","${'b'.repeat(16)}",null,null],"POST","/${at}","chat","t",1,2,200,null,null,null,[]],`,
  ).join('');

it('sends what it was given before it was closed, and says how much of it waits', async () => {
  const told: string[] = [];
  const started = await start(told);
  const { waitingBytes, close } = started;
  give(started, requests(700));
  expect(waitingBytes()).toBeGreaterThan(0);
  await expect.poll(waitingBytes, { timeout: 5000 }).toBe(0);
  give(started, requests(30));
  await close();
  expect(receiver?.spans.map(({ attributes }) => attributes['url.path']).slice(-30)).toEqual(
    Array.from({ length: 30 }, (_each, at) => `/${at}`),
  );
  expect(receiver?.spans).toHaveLength(730);
  expect(told).toEqual([]);
});

it('tells the operator once when it has failed; then nothing waits for it', async () => {
  const told: string[] = [];
  const started = await start(told);
  const { waitingBytes, close } = started;
  give(started, 'no record,');
  give(started, 'no record,');
  await expect.poll(() => told, { timeout: 5000 }).toHaveLength(1);
  expect(told[0]).toMatch(/^Traces and metrics are no longer sent, and requests are served without them/);
  give(started, requests(1));
  expect(waitingBytes()).toBe(0);
  await close();
  expect(told).toHaveLength(1);
});
