import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/telemetry/otlp-receiver.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let upstream: TestUpstream;
let receiver: OtlpReceiver;
let gateway: GatewayProcess;

const start = (url: string, env: Readonly<Record<string, string>>): Promise<GatewayProcess> => {
  const target = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
  return startGateway({
    files: {
      'gateway.json': { configs: 'configs', telemetry: { otlp: { url } } },
      'configs/main.json': target,
      'configs/tuned.json': { ...target, override_params: { model: 'our-fine-tune' } },
    },
    env: { KEY: 'k', OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '200', ...env },
  });
};

beforeAll(async () => {
  // It answers with the requested model, as local servers do.
  upstream = await startUpstream((call) => {
    const { model } = call.request.json();
    if (model === 'gone') call.json({ error: { message: 'no' } }, { status: 404 });
    else call.json(openaiAnswer({ text: 'Hello!', model: String(model) }));
  });
  receiver = await startOtlpReceiver();
  gateway = await start(receiver.url, {
    OTEL_SERVICE_NAME: 'the gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=another,team=search%2Cranking,k8s.pod.name=gw-0',
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  receiver.close();
});

interface Asked {
  readonly config?: string;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request and returns the id of its trace. */
const ask = async (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  { config = 'main', model = 'gpt-4o', headers = {} }: Asked = {},
): Promise<string> => {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config, ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await response.text();
  return response.headers.get('x-gw-trace-id') ?? '';
};

const readSpans = async (trace: string): Promise<readonly ReceivedSpan[]> => {
  const found = () => receiver.spans.filter(({ traceId }) => traceId === trace);
  await expect.poll(() => found().length).toBe(2);
  return found();
};

/** The metric of requests. All other metrics describe attempts. */
const overhead = 'gatewright.overhead';

const measured = (attribute: string): readonly unknown[] => [
  ...new Set(receiver.points.flatMap(({ metric, attributes }) => (metric === overhead ? [] : [attributes[attribute]]))),
];

describe('the data for OTLP receivers', () => {
  it('has the same resource for traces and metrics, with the attributes from the environment', async () => {
    await ask(gateway);
    const { traces, metrics } = receiver.resources;
    await expect.poll(() => Math.min(traces.length, metrics.length)).toBeGreaterThan(0);
    const [first] = traces;
    expect(first).toEqual({
      'service.name': 'the gateway',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'service.instance.id': expect.stringMatching(uuid),
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      team: 'search,ranking',
      'k8s.pod.name': 'gw-0',
    });
    for (const each of [...traces, ...metrics]) expect(each).toEqual(first);
  });

  it('has another instance id for another process, and ignores malformed resource attributes', async () => {
    const other = await start(receiver.url, { OTEL_RESOURCE_ATTRIBUTES: 'team=search,region' });
    onTestFinished(() => other.stop());
    const before = receiver.resources.traces.length;
    await ask(other);
    await expect.poll(() => receiver.resources.traces.length).toBeGreaterThan(before);
    expect(receiver.resources.traces.at(-1)).toMatchObject({ 'service.name': 'gatewright' });
    expect(receiver.resources.traces.at(-1)).not.toHaveProperty('team');
    const [first, last] = [receiver.resources.traces[0], receiver.resources.traces.at(-1)];
    expect(last?.['service.instance.id']).not.toBe(first?.['service.instance.id']);
    expect(
      other.printed().match(/OTEL_RESOURCE_ATTRIBUTES is ignored, because entry 2 of it has no equals sign\./g),
    ).toEqual([expect.any(String)]);
  });

  it('has the scheme of the client, which a proxy may report, and only known methods', async () => {
    const readScheme = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
      const spans = await readSpans(await ask(gateway, { headers }));
      return spans.find(({ kind }) => kind === 'server')?.attributes['url.scheme'];
    };
    expect(await readScheme({})).toBe('http');
    expect(await readScheme({ 'x-forwarded-proto': 'https' })).toBe('https');
    expect(await readScheme({ 'x-forwarded-proto': 'HTTPS, http' })).toBe('https');
    expect(await readScheme({ 'x-forwarded-proto': 'gopher' })).toBe('http');
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, { method: 'PURGE' });
    await answer.text();
    const trace = answer.headers.get('x-gw-trace-id') ?? '';
    const unknown = () => receiver.spans.find(({ traceId }) => traceId === trace);
    await expect.poll(unknown).toMatchObject({
      name: expect.stringMatching(/^HTTP /),
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PURGE' },
    });
  });

  it('has no series for models that callers make up', async () => {
    await Promise.all(Array.from({ length: 30 }, (_each, at) => ask(gateway, { model: `made-up-${at}` })));
    const callers = JSON.stringify({
      provider: 'openai',
      api_key: 'k',
      custom_host: `${upstream.origin}/v1`,
      override_params: { model: 'made-up-by-a-config' },
    });
    await ask(gateway, { config: callers });
    await ask(gateway, { config: 'tuned' });
    await ask(gateway, { model: 'gpt-4o-mini-2024-07-18' });
    await ask(gateway, { model: 'gone' });
    const known = ['gpt-4o', 'gpt-4o-mini-2024-07-18', 'other', 'our-fine-tune'];
    await expect.poll(() => measured('gen_ai.request.model').toSorted()).toEqual(known);
    await expect.poll(() => measured('gen_ai.response.model').toSorted()).toEqual([...known, undefined]);
    // Each span describes one request and has its own model name. Spans are sent separately from metrics.
    await expect
      .poll(() => receiver.spans.map((span) => span.attributes['gen_ai.request.model']))
      .toContain('made-up-7');
  });

  it('has every attribute that the conventions require, in every span and every series', async () => {
    const server = ['http.request.method', 'http.response.status_code', 'url.path', 'url.scheme'];
    const genAi = [
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
      'server.address',
      'server.port',
    ];
    const expected = { server, client: genAi, other: [] };
    const lacking = receiver.spans.flatMap(({ kind, name, attributes }) =>
      expected[kind].filter((key) => attributes[key] === undefined).map((key) => `${name}: ${key}`),
    );
    expect(lacking).toEqual([]);
    const [tokens, seconds] = ['gen_ai.client.token.usage', 'gen_ai.client.operation.duration'];
    expect(new Set(receiver.points.map(({ metric, unit }) => `${metric} ${unit}`))).toEqual(
      new Set([`${tokens} {token}`, `${seconds} s`, `${overhead} s`]),
    );
    for (const { metric, attributes } of receiver.points) {
      if (metric === overhead) {
        expect(Object.keys(attributes).sort()).toEqual(['gatewright.endpoint', 'gatewright.plan']);
        continue;
      }
      for (const key of genAi) expect(attributes, metric).toHaveProperty([key]);
      expect(attributes['gen_ai.token.type'] !== undefined).toBe(metric === tokens);
      expect(attributes['gen_ai.response.model'] === undefined).toBe(attributes['error.type'] !== undefined);
    }
    expect(measured('error.type')).toContain('404');
  });
});
