import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const reply = { text: 'Hello!' };
const prices = { openai: { '*': { input: 100, output: 200, cache_read: 50 } } };

/** Whether a request asks for the usage of its stream. */
const asksUsage = (body: JsonObject): boolean => JSON.stringify(body.stream_options ?? {}).includes('include_usage');

let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const body = JSON.parse(call.request.text());
    if (body.stream !== true) return call.json(openaiAnswer(reply));
    const stream = call.sse();
    for (const frame of openaiStream(reply, { withUsage: asksUsage(body) })) stream.send(frame);
    stream.end();
  });
});
afterAll(() => upstream.close());

const serve = async (settings: JsonObject): Promise<GatewayProcess> => {
  const gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', prices, ...settings },
      'configs/main.json': {
        name: 'main',
        provider: 'openai',
        api_key: '${env:KEY}',
        custom_host: `${upstream.origin}/v1`,
      },
    },
    env: { KEY: 'k' },
  });
  onTestFinished(() => gateway.stop());
  return gateway;
};

/** Sends a request and returns whether the provider was asked for the usage of its stream. */
const ask = async ({ baseUrl }: GatewayProcess, headers: object, stream = false): Promise<boolean> => {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': 'main', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello there.' }], stream }),
  });
  expect(response.status).toBe(200);
  await response.text();
  return asksUsage(JSON.parse(upstream.requests.at(-1)?.text() ?? '{}'));
};

const labels = 'plan="main",target="main",provider="openai"';
/** The tokens that this many answers use: of 21 tokens of each prompt, 4 were read from a cache. */
const toTokens = (answers: number): object => ({
  [`{${labels},sort="input"}`]: 17 * answers,
  [`{${labels},sort="cache_read"}`]: 4 * answers,
  [`{${labels},sort="output"}`]: 9 * answers,
});

const tokens = async ({ origin }: GatewayProcess): Promise<object> =>
  toLines(await readMetrics(origin), 'gatewright_tokens_total');

const asking = { 'x-gw-usage': 'true' };

describe('tokens in metrics', () => {
  it('are counted by default only if something else needs the usage of the answer, such as a caller', async () => {
    const gateway = await serve({ metrics: true });
    await ask(gateway, {});
    expect(await ask(gateway, {}, true)).toBe(false);
    expect(await tokens(gateway)).toEqual({});
    await ask(gateway, asking);
    // Each token is counted in one sort only.
    expect(await tokens(gateway)).toEqual(toTokens(1));
    const costs = toLines(await readMetrics(gateway.origin), 'gatewright_cost_usd_total');
    expect(costs).toEqual({ [`{${labels}}`]: expect.closeTo(0.0037, 9) });
    expect(await ask(gateway, asking, true)).toBe(true);
    expect(await tokens(gateway)).toEqual(toTokens(2));
  });

  it('are counted for every answer with "tokens": true', async () => {
    const gateway = await serve({ metrics: { tokens: true } });
    await ask(gateway, {});
    expect(await ask(gateway, {}, true)).toBe(true);
    expect(await tokens(gateway)).toEqual(toTokens(2));
  });
});
