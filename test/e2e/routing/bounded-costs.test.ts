import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const text = 'A bridge of stone.';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const unknown = 'a-model-of-our-own';

/** At OpenAI's list prices, ten thousand tokens of the first cost about ten cents, and of the second less than one. */
const [dear, cheap] = ['gpt-4o', 'gpt-4o-mini'];
const target = (model: string): object => ({
  provider: 'openai',
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
  override_params: { model },
});
const config = (models: readonly string[], more: object = {}): string =>
  JSON.stringify({ strategy: { mode: 'fallback' }, targets: models.map(target), ...more });

const ask = (headers: Record<string, string>) =>
  new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', defaultHeaders: headers }).chat.completions;
const asked = { model: 'any', messages, max_tokens: 10_000 };

/** The models of the upstream requests while something ran. */
const modelsDuring = async (run: () => Promise<unknown>): Promise<readonly unknown[]> => {
  const before = upstream.requests.length;
  await run();
  return upstream.requests.slice(before).map(({ body }) => JSON.parse(body.toString()).model);
};

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    if (JSON.parse(call.request.body.toString()).stream !== true) return call.json(openaiAnswer({ text }));
    const stream = call.sse();
    for (const frame of openaiStream({ text }, { withUsage: true })) stream.send(frame);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('a cost limit of a request', () => {
  it.each([
    ['in the config', { max_cost_usd: 0.05 }, {}],
    ['in the header', {}, { 'x-gw-max-cost': '0.05' }],
    ['in the header, if it is lower,', { max_cost_usd: 100 }, { 'x-gw-max-cost': '0.05' }],
    ['in the config, if it is lower,', { max_cost_usd: 0.05 }, { 'x-gw-max-cost': '100' }],
  ])('%s refuses a request that may cost more, once, without calling a provider', async (_of, more, headers) => {
    const models = await modelsDuring(() =>
      expect(ask({ 'x-gw-config': config([dear], more), ...headers }).create(asked)).rejects.toMatchObject({
        status: 412,
        code: 'cost-exceeded',
        message: expect.stringContaining('of its limit of $0.05'),
      }),
    );
    expect(models).toEqual([]);
  });

  it('reports an unreadable body, and does not repeat a model name of a megabyte', async () => {
    const send = async (body: string): Promise<string> => {
      const given = JSON.stringify({ ...target(unknown), override_params: undefined, max_cost_usd: 1 });
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        ...{ method: 'POST', body },
        headers: { 'content-type': 'application/json', 'x-gw-config': given },
      });
      return answer.text();
    };
    expect(await send('{"model":"gpt-4o",')).toContain('"code":"malformed-body"');
    const text = await send(JSON.stringify({ ...asked, model: 'm'.repeat(1_000_000) }));
    expect(text).toContain('"code":"unpriced-model"');
    expect(text.length).toBeLessThan(1000);
  });

  it('falls back to a cheaper branch, whole and streamed', async () => {
    const client = ask({ 'x-gw-config': config([dear, unknown, cheap], { max_cost_usd: 0.05 }) });
    const models = await modelsDuring(async () => {
      const { data, response } = await client.create(asked).withResponse();
      expect(response.headers.get('x-gw-last-used-option-index')).toBe('config.targets[2]');
      expect(data.choices[0]?.message.content).toBe(text);
      let said = '';
      for await (const chunk of await client.create({ ...asked, stream: true }))
        said += chunk.choices[0]?.delta.content ?? '';
      expect(said).toBe(text);
    });
    expect(models).toEqual([cheap, cheap]);
  });

  it('lets a request within it through', async () => {
    const client = ask({ 'x-gw-config': config([dear]), 'x-gw-max-cost': '0.2' });
    expect((await client.create(asked)).choices[0]?.message.content).toBe(text);
  });

  it.each([
    ['the body', { service_tier: 'priority' }, undefined],
    ['the config', {}, { service_tier: 'priority' }],
  ])('counts the service tier that %s asks for', async (_of, members, override_params) => {
    const targets = [{ ...target(dear), override_params: { model: dear, ...override_params } }];
    const headers = {
      'x-gw-config': JSON.stringify({ strategy: { mode: 'fallback' }, targets }),
      'x-gw-max-cost': '0.12',
    };
    const models = await modelsDuring(() =>
      expect(ask(headers).create({ ...asked, ...(members as object) })).rejects.toMatchObject({
        code: 'cost-exceeded',
      }),
    );
    expect(models).toEqual([]);
    const usual = { ...headers, 'x-gw-config': config([dear]) };
    await ask(usual).create(asked);
  });

  it('does not cut a stream that costs more than expected', async () => {
    upstream.handle((call) => {
      const stream = call.sse();
      const [last] = openaiStream({ text }, { withUsage: true }).filter((frame) => frame.includes('"total_tokens"'));
      for (const frame of openaiStream({ text }, { withUsage: true }))
        stream.send(frame === last ? frame.replace(/"completion_tokens":\d+/, '"completion_tokens":9000000') : frame);
      stream.end();
    });
    const client = ask({ 'x-gw-config': config([cheap]), 'x-gw-max-cost': '0.05' });
    let said = '';
    for await (const chunk of await client.create({ ...asked, stream: true }))
      said += chunk.choices[0]?.delta.content ?? '';
    expect(said).toBe(text);
    upstream.handle((call) => call.json(openaiAnswer({ text })));
  });

  it.each(['0', '-1', '1e3', '$5', '', '0,5', '1000001', 'free'])(
    'of "%s" in the header is answered with 400 that names the header',
    async (value) => {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-config': config([cheap]), 'x-gw-max-cost': value },
        body: JSON.stringify(asked),
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { code: 'invalid-header', message: expect.stringContaining('x-gw-max-cost') },
      });
    },
  );
});
