import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  type ReceiverOptions,
  startOtlpReceiver,
} from '../../support/telemetry/otlp-receiver.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const prompt = 'A secret prompt of marmalade.';
const answer = 'A secret answer of gherkins.';
const parentSpan = 'b7ad6b7169203331';
const toTrace = (digit: string): string => digit.repeat(32);

const answering: UpstreamHandler = (call) => {
  const { path } = call.request;
  if (path.startsWith('/failing')) call.json({ error: { message: 'no' } }, { status: 503 });
  else if (path.startsWith('/streaming')) {
    const stream = call.sse();
    for (const frame of openaiStream({ text: answer })) stream.send(frame);
    stream.end();
  } else if (path.startsWith('/broken')) {
    const stream = call.sse();
    stream.frame({ choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] });
    stream.cut();
  } else call.json(openaiAnswer({ text: answer }));
};

const soon = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '200' };

interface Started {
  readonly gateway: GatewayProcess;
  readonly upstream: TestUpstream;
  readonly receiver: OtlpReceiver;
}

const start = async (options: ReceiverOptions = {}): Promise<Started> => {
  const [upstream, receiver] = await Promise.all([startUpstream(answering), startOtlpReceiver(options)]);
  const target = (path: string, more: object = {}): object => ({
    provider: 'openai',
    api_key: '${env:KEY}',
    custom_host: `${upstream.origin}${path}/v1`,
    ...more,
  });
  const gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        telemetry: { otlp: { url: receiver.url, headers: { authorization: '${env:OTLP_TOKEN}' } } },
      },
      'configs/main.json': {
        strategy: { mode: 'fallback' },
        targets: [
          target('/failing', { name: 'first', retry: { attempts: 1 } }),
          target('', {
            name: 'second',
            input_guardrails: [{ 'default.contains': { words: ['nothing'], operator: 'none' } }],
          }),
        ],
      },
      'configs/streaming.json': target('/streaming'),
      'configs/broken.json': target('/broken'),
      'configs/forwarding.json': target('', { forward_headers: ['traceparent'] }),
    },
    env: { KEY: 'k', OTLP_TOKEN: 'the-token', ...soon },
  });
  return { gateway, upstream, receiver };
};

const ask = async (
  { gateway }: Pick<Started, 'gateway'>,
  config: string,
  {
    headers = {},
    body = {},
    path = '/chat/completions',
  }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object; readonly path?: string } = {},
) => {
  const response = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config, ...headers },
    body: JSON.stringify({ model: 'asked-model', messages: [{ role: 'user', content: prompt }], ...body }),
  });
  await response.text();
  return { status: response.status, trace: response.headers.get('x-gw-trace-id') ?? '' };
};

/** Resolves with the spans of a trace as soon as there are this many. */
const until = async ({ receiver }: Started, trace: string, count: number): Promise<readonly ReceivedSpan[]> => {
  const found = (): readonly ReceivedSpan[] => receiver.spans.filter(({ traceId }) => traceId === trace);
  await expect.poll(() => found().length).toBe(count);
  return found();
};

/** Returns the values of a header in the requests that the provider got meanwhile. */
const readHeaders = async (
  { upstream }: Started,
  name: string,
  meanwhile: () => Promise<unknown>,
): Promise<readonly (string | undefined)[]> => {
  const before = upstream.requests.length;
  await meanwhile();
  return upstream.requests.slice(before).map((request) => request.header(name));
};

let started: Started;
let hung: Started;
let refused: Started;
beforeAll(async () => {
  [started, hung, refused] = await Promise.all([start(), start({ hangs: true }), start({ status: 401 })]);
});
afterAll(() =>
  Promise.all(
    [started, hung, refused].map(async ({ gateway, upstream, receiver }) => {
      await gateway.stop();
      await upstream.close();
      receiver.close();
    }),
  ),
);

describe('telemetry', () => {
  it('has a span for the request and one for each attempt, which providers get as their parents', async () => {
    const trace = toTrace('a');
    const state = 'vendor=value';
    const headers = { traceparent: `00-${trace}-${parentSpan}-01`, tracestate: state };
    const parents = await readHeaders(started, 'traceparent', async () => {
      const states = await readHeaders(started, 'tracestate', async () => {
        expect(await ask(started, 'main', { headers })).toEqual({ status: 200, trace });
      });
      expect(states).toEqual([state, state, state]);
    });
    const spans = await until(started, trace, 4);
    const server = spans.find(({ kind }) => kind === 'server');
    const attempts = spans.filter(({ kind }) => kind === 'client');
    expect(server).toMatchObject({
      parentSpanId: parentSpan,
      name: 'POST chat',
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'url.path': '/v1/chat/completions',
        'http.response.status_code': 200,
        'gatewright.plan': expect.stringMatching(/^main@/),
      },
    });
    expect(server?.events.map(({ name }) => name)).toEqual([
      'gatewright.retry',
      'gatewright.fallback',
      'gatewright.verdict',
    ]);
    expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual(attempts.map(() => server?.spanId));
    expect(attempts.map(({ attributes, failed }) => [attributes['gatewright.target'], failed])).toEqual([
      ['first', true],
      ['first', true],
      ['second', false],
    ]);
    expect(attempts[0]?.attributes).toMatchObject({ 'error.type': '503', 'http.response.status_code': 503 });
    expect(attempts[2]).toMatchObject({
      name: 'chat asked-model',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'asked-model',
        'gen_ai.usage.input_tokens': 21,
        'gen_ai.usage.output_tokens': 9,
        'gen_ai.usage.cache_read.input_tokens': 4,
        'gen_ai.response.finish_reasons': ['stop'],
        'server.address': '127.0.0.1',
        'server.port': started.upstream.port,
        'http.response.status_code': 200,
      },
    });
    expect(parents).toEqual(attempts.map(({ spanId }) => `00-${trace}-${spanId}-01`));
    expect(started.receiver.headers[0]?.authorization).toBe('the-token');
    expect(started.receiver.text()).not.toMatch(/marmalade|gherkins/);
  });

  it('measures the tokens and the duration of attempts', async () => {
    const named = (metric: string) => started.receiver.points.filter((point) => point.metric === metric);
    await expect.poll(() => named('gen_ai.client.token.usage').length).toBe(2);
    expect(named('gen_ai.client.token.usage')).toMatchObject([
      {
        unit: '{token}',
        count: 1,
        sum: 21,
        attributes: { 'gen_ai.token.type': 'input', 'gen_ai.provider.name': 'openai' },
      },
      { unit: '{token}', count: 1, sum: 9, attributes: { 'gen_ai.token.type': 'output' } },
    ]);
    expect(named('gen_ai.client.operation.duration')).toMatchObject([
      { unit: 's', count: 2, attributes: { 'error.type': '503' } },
      { unit: 's', count: 1, attributes: { 'gen_ai.operation.name': 'chat' } },
    ]);
    const [overhead] = named('gatewright.overhead');
    expect(overhead).toMatchObject({
      unit: 's',
      count: 1,
      attributes: { 'gatewright.plan': expect.any(String), 'gatewright.endpoint': 'chat' },
    });
    expect([overhead?.bounds.at(0), overhead?.bounds.at(-1)]).toEqual([0.0001, 1]);
  });

  it('follows streams to their ends, broken or not', async () => {
    // Without a parent, the trace has the id in the header of the answer.
    const whole = await ask(started, 'streaming', { body: { stream: true } });
    const [attempt] = await until(started, whole.trace, 2);
    expect(attempt).toMatchObject({ failed: false, attributes: { 'gen_ai.usage.output_tokens': 7 } });
    // Frames with the reason why a choice ends are not parsed for this alone. It is known only if they are translated.
    expect(attempt?.attributes['gen_ai.response.finish_reasons']).toBeUndefined();
    const translated = await ask(started, 'streaming', { path: '/messages', body: { stream: true, max_tokens: 9 } });
    const [inOther] = await until(started, translated.trace, 2);
    expect(inOther?.attributes).toMatchObject({ 'gen_ai.response.finish_reasons': ['stop'] });
    const broken = await ask(started, 'broken', { body: { stream: true } });
    const [cut] = await until(started, broken.trace, 2);
    expect(cut).toMatchObject({ kind: 'client', failed: true, attributes: { 'error.type': 'stream-cut' } });
    // It counts as a failure, whether it is traced or not.
    const untraced = `00-${toTrace('d')}-${parentSpan}-00`;
    await ask(started, 'broken', { headers: { traceparent: untraced }, body: { stream: true } });
    const failed = () =>
      started.receiver.points.findLast(
        ({ metric, attributes }) =>
          metric === 'gen_ai.client.operation.duration' && attributes['error.type'] === 'stream-cut',
      )?.count;
    await expect.poll(failed).toBe(2);
  });

  it("creates no span if the client's trace is not sampled, and forwards the client's header", async () => {
    const unsampled = `00-${toTrace('b')}-${parentSpan}-00`;
    const passed = await readHeaders(started, 'traceparent', () =>
      ask(started, 'main', { headers: { traceparent: unsampled } }),
    );
    expect(passed).toEqual([unsampled, unsampled, unsampled]);
    // A header that a config forwards comes from the client, whatever is traced.
    const sampled = `00-${toTrace('c')}-${parentSpan}-01`;
    const forwarded = await readHeaders(started, 'traceparent', () =>
      ask(started, 'forwarding', { headers: { traceparent: sampled } }),
    );
    expect(forwarded).toEqual([sampled]);
    expect((await until(started, toTrace('c'), 2)).map(({ kind }) => kind)).toEqual(['client', 'server']);
    expect(started.receiver.spans.some(({ traceId }) => traceId === toTrace('b'))).toBe(false);
  });

  it('reports once to the operator that its receiver rejects the data', async () => {
    const said = (): readonly string[] => refused.gateway.printed().match(/The traces could not be sent to \S+/g) ?? [];
    await ask(refused, 'streaming');
    await expect.poll(said).toHaveLength(1);
    expect(said()[0]).toContain(`${refused.receiver.url}/v1/traces`);
    const before = refused.receiver.headers.length;
    await ask(refused, 'streaming');
    await expect.poll(() => refused.receiver.headers.length).toBeGreaterThan(before);
    expect(said()).toHaveLength(1);
  });

  it('does not delay requests or the end of the gateway if its receiver does not answer', async () => {
    for (let round = 0; round < 20; round += 1)
      expect((await ask(hung, 'streaming', { body: { stream: true } })).status).toBe(200);
    await expect.poll(() => hung.receiver.headers.length).toBeGreaterThan(0);
    hung.gateway.signal('SIGTERM');
    expect(await hung.gateway.exited).toBe(0);
    expect(hung.gateway.printed()).toContain(
      'gw: The last traces and metrics are lost: the receiver did not answer within 2 s.\n',
    );
  });
});
