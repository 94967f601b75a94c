import { expect, it, onTestFinished } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { startOtlpReceiver } from '../../support/telemetry/otlp-receiver.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, startWorkers } from './worker-processes.ts';

it('the telemetry of several workers has each request once, and each worker as a separate instance', async () => {
  const receiver = await startOtlpReceiver();
  const upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  const gateway = await startWorkers({
    workers: 2,
    configs: { main: { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` } },
    settings: { telemetry: { otlp: { url: receiver.url } } },
    env: { KEY: 'a-key', OTEL_BSP_SCHEDULE_DELAY: '50' },
  });
  onTestFinished(async () => {
    await gateway.stop();
    receiver.close();
    upstream.close();
  });
  const workers = new Set<number>();
  let sent = 0;
  for (; workers.size < 2; sent += 1) workers.add((await ask(gateway)).worker);
  const requests = (): readonly string[] =>
    receiver.spans.filter(({ kind }) => kind === 'server').map(({ spanId }) => spanId);
  await expect.poll(() => requests().length, patience).toBe(sent);
  // Everything that waits is sent before they end.
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  expect(new Set(requests()).size).toBe(sent);
  expect(requests()).toHaveLength(sent);
  expect(receiver.spans.filter(({ kind }) => kind === 'client')).toHaveLength(sent);
  expect(new Set(receiver.resources.traces.map((resource) => resource['service.instance.id'])).size).toBe(2);
});
