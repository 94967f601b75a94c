import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGateway } from '../../../index.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const reply = { text: 'It is sunny in Graz.' };
const question = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'How is it in Graz?' }] };
const prices = { openai: { '*': { input: 100, output: 200, cache_read: 50 } } };
/** 17 tokens at 100, 4 at 50 and 9 at 200 dollars per million. */
const dollars = '0.0037';
const record = {
  kind: 'reported',
  model: 'gpt-4o-mini-2024-07-18',
  tier: 'default',
  input: { total: 21, cacheRead: 4, audio: 0 },
  output: { total: 9, reasoning: 0, audio: 0 },
  cacheHitRate: 0.1905,
};
const cost = { nanoUsd: 3_700_000, prices: 'gateway file' };

const vendor: UpstreamHandler = (call) => {
  const body = JSON.parse(call.request.text());
  if (body.stream !== true) return call.json(openaiAnswer(reply));
  const stream = call.sse();
  for (const frame of openaiStream(reply, { withUsage: body.stream_options?.include_usage === true }))
    stream.send(frame);
  stream.end();
};

let silent: GatewayProcess;
let logging: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [silent, logging, upstream] = await Promise.all([
    startGateway({ files: { 'gateway.json': { prices } }, env: { GW_LOG: 'requests' } }),
    startGateway({ files: { 'gateway.json': { prices, usage: true } }, env: { GW_LOG: 'requests' } }),
    startUpstream(vendor),
  ]);
});
beforeEach(() => upstream.handle(vendor));
afterAll(async () => {
  await Promise.all([silent.stop(), logging.stop()]);
  await upstream.close();
});

const config = (provider = 'openai'): string =>
  JSON.stringify({ provider, api_key: 'mine', custom_host: `${upstream.origin}/v1` });
const asking = { 'x-gw-usage': 'true' };

const post = (
  { baseUrl }: GatewayProcess,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config(), ...headers },
    body: JSON.stringify({ ...question, ...body }),
  });

const client = ({ baseUrl }: GatewayProcess, headers: Readonly<Record<string, string>> = asking): OpenAI =>
  new OpenAI({
    apiKey: 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': config(), ...headers },
  });

const comments = `: x-gw-usage ${JSON.stringify(record)}\n\n: x-gw-cost ${dollars}\n\n`;

const sentLast = (): Record<string, unknown> => JSON.parse(upstream.requests.at(-1)?.text() ?? '');

/** Sends a request whose first target fails, with usage in its error, and whose second target answers. */
const postWithFallback = (gateway: GatewayProcess): Promise<Response> => {
  const usage = { prompt_tokens: 500, completion_tokens: 70, total_tokens: 570 };
  upstream.handle((call) =>
    call.request.path.startsWith('/first/') ? call.json({ error: {}, usage }, { status: 500 }) : vendor(call),
  );
  const at = (folder: string): object => ({
    provider: 'openai',
    api_key: 'mine',
    custom_host: `${upstream.origin}/${folder}`,
  });
  const fallback = { strategy: { mode: 'fallback' }, targets: [at('first'), at('v1')] };
  return post(gateway, {}, { ...asking, 'x-gw-config': JSON.stringify(fallback) });
};

describe('a caller that requests usage', () => {
  it('gets it in the headers of a whole answer', async () => {
    const answer = await post(silent, {}, asking);
    expect(JSON.parse(answer.headers.get('x-gw-usage') ?? '')).toEqual(record);
    expect(answer.headers.get('x-gw-cost')).toBe(dollars);
    for (const unasked of [await post(silent), await post(silent, {}, { 'x-gw-usage': 'false' })])
      expect([unasked.headers.has('x-gw-usage'), unasked.headers.has('x-gw-cost')]).toEqual([false, false]);
  });

  it('gets it in comments at the end of a stream, which is otherwise unchanged', async () => {
    const text = await (await post(silent, { stream: true }, asking)).text();
    expect(text).toBe(openaiStream(reply).join('') + comments);
    expect(sentLast().stream_options).toEqual({ include_usage: true });
    expect(await (await post(silent, { stream: true })).text()).toBe(openaiStream(reply).join(''));
    expect(sentLast()).not.toHaveProperty('stream_options');
    const own = { stream: true, stream_options: { include_usage: true } };
    const withBoth = await (await post(silent, own, asking)).text();
    expect(withBoth).toBe(openaiStream(reply, { withUsage: true }).join('') + comments);
  });

  it('gets that of the attempt that answered after a fallback', async () => {
    const answer = await postWithFallback(silent);
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
    expect(JSON.parse(answer.headers.get('x-gw-usage') ?? '')).toEqual(record);
    expect(answer.headers.get('x-gw-cost')).toBe(dollars);
  });

  it('gets it at the end of a stream from a provider of another dialect', async () => {
    upstream.handle((call) => {
      const stream = call.sse();
      for (const frame of anthropicStream(reply)) stream.send(frame);
      stream.end();
    });
    const text = await (await post(silent, { stream: true }, { ...asking, 'x-gw-config': config('anthropic') })).text();
    const [, comment = ''] = /data: \[DONE\]\n\n: x-gw-usage (.*)\n\n(?:: x-gw-cost .*\n\n)?$/.exec(text) ?? [];
    expect(JSON.parse(comment)).toMatchObject({ kind: 'reported' });
  });

  it('sees no difference with the official client', async () => {
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    const stream = await client(silent).chat.completions.create({ ...question, stream: true });
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(reply.text);
    expect(chunks.every((chunk) => chunk.choices.length === 1 && !('usage' in chunk))).toBe(true);
    const { data, response } = await client(silent).chat.completions.create(question).withResponse();
    expect(data.choices[0]?.message.content).toBe(reply.text);
    expect(response.headers.get('x-gw-cost')).toBe(dollars);
  });

  it('gets the usage so far at the end of a broken stream', async () => {
    upstream.handle((call) => {
      const stream = call.sse();
      for (const frame of openaiStream(reply).slice(0, 3)) stream.send(frame);
      stream.cut();
    });
    const text = await (await post(silent, { stream: true }, asking)).text();
    const [, comment = ''] = /"stream-cut".*\n\n: x-gw-usage (.*)\n\n/.exec(text) ?? [];
    expect(JSON.parse(comment)).toMatchObject({ kind: 'estimated', model: 'gpt-4o-mini', output: { total: 2 } });
    expect(text).not.toContain('[DONE]');
  });
});

const toTrails = ({ records }: GatewayProcess): readonly (readonly TrailEvent[])[] =>
  records().flatMap(({ trail }) => (Array.isArray(trail) ? [trail] : []));

const lastUsage = async (gateway: GatewayProcess, before: number): Promise<readonly UsageRecord[]> => {
  await vi.waitFor(() => expect(toTrails(gateway).length).toBeGreaterThan(before), patience);
  return (
    toTrails(gateway)
      .at(-1)
      ?.flatMap((event) => (event.kind === 'settled' ? [event.usage] : [])) ?? []
  );
};

describe('the request log', () => {
  it('has the usage and cost of each attempt if the gateway file says so', async () => {
    const before = toTrails(logging).length;
    await (await post(logging)).text();
    expect(await lastUsage(logging, before)).toEqual([{ ...record, cost }]);
    await (await post(logging, { stream: true })).text();
    expect(await lastUsage(logging, before + 1)).toEqual([{ ...record, cost }]);
    const unlogged = toTrails(silent).length;
    await (await post(silent)).text();
    expect(await lastUsage(silent, unlogged)).toEqual([]);
  });

  it('has the usage once for a stream whose client disconnects', async () => {
    let gone = false;
    upstream.handle(async (call) => {
      const stream = call.sse();
      for (const frame of openaiStream(reply).slice(0, 3)) stream.send(frame);
      await call.gone;
      gone = true;
    });
    const before = toTrails(logging).length;
    const controller = new AbortController();
    const answer = await fetch(`${logging.baseUrl}/chat/completions`, {
      method: 'POST',
      signal: controller.signal,
      headers: { 'content-type': 'application/json', 'x-gw-config': config() },
      body: JSON.stringify({ ...question, stream: true }),
    });
    await answer.body?.getReader().read();
    controller.abort();
    expect(await lastUsage(logging, before)).toMatchObject([{ kind: 'estimated', output: { total: 2 }, cost: {} }]);
    expect(
      toTrails(logging)
        .at(-1)
        ?.map(({ kind }) => kind),
    ).toEqual(['attempted', 'settled', 'clientLeft']);
    await vi.waitFor(() => expect(gone).toBe(true), patience);
  });

  it('has the usage of every attempt of a fallback', async () => {
    const before = toTrails(logging).length;
    await (await postWithFallback(logging)).text();
    expect(await lastUsage(logging, before)).toMatchObject([{ kind: 'none' }, { ...record, cost }]);
  });
});

/** Returns the rate in the next line, for a fallback between targets that report these cached tokens. */
const loggedRate = async (gateway: GatewayProcess, cached: readonly (number | undefined)[]): Promise<unknown> => {
  upstream.handle((call) => {
    const at = Number(/\d+/.exec(call.request.path)?.[0]);
    const details = cached[at] === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached[at] } };
    const usage = { prompt_tokens: 100 * (at + 1), completion_tokens: 1, ...details };
    const choices = [{ index: 0, message: { role: 'assistant', content: at + 1 < cached.length ? 'no' : 'yes' } }];
    return call.json({ ...openaiAnswer(reply), choices, usage });
  });
  const target = (_: unknown, at: number): object => ({
    provider: 'openai',
    api_key: 'mine',
    custom_host: `${upstream.origin}/${at}`,
    output_guardrails: [{ 'default.contains': { operator: 'any', words: ['yes'] }, deny: true }],
  });
  const fallback = { strategy: { mode: 'fallback' }, targets: cached.map(target) };
  const before = toTrails(gateway).length;
  expect((await post(gateway, {}, { 'x-gw-config': JSON.stringify(fallback) })).status).toBe(200);
  await vi.waitFor(() => expect(toTrails(gateway).length).toBeGreaterThan(before), patience);
  return gateway.records().findLast(({ trail }) => Array.isArray(trail))?.cacheHitRate;
};

describe('the share of the prompt that providers read from caches', () => {
  it('is logged for all attempts of a request together', async () => {
    expect(await loggedRate(logging, [100, 50])).toBe(0.5);
    expect(await loggedRate(logging, [undefined, 50])).toBe(0.25);
    expect(await loggedRate(logging, [0])).toBe(0);
  });

  it('is not logged if no provider reports it, or if the log has no usage', async () => {
    expect(await loggedRate(logging, [undefined, undefined])).toBeUndefined();
    expect(await loggedRate(silent, [50])).toBeUndefined();
  });
});

describe('an embedded gateway', () => {
  it('reports the same usage, with its own prices', async () => {
    const plan = compileConfig('{ "provider": "echo" }');
    const gateway = createGateway({ plan, prices: { echo: { echo: { input: 1000, output: 2000 } } } });
    const ask = (body: object): Promise<Response> =>
      gateway.fetch(
        new Request('http://gateway.internal/v1/chat/completions', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...asking },
          body: JSON.stringify({ ...question, model: 'echo', ...body }),
        }),
      );
    const used = '{"kind":"reported","model":"echo","input":{"total":5},"output":{"total":5}}';
    const whole = await ask({});
    expect([whole.headers.get('x-gw-usage'), whole.headers.get('x-gw-cost')]).toEqual([used, '0.015']);
    const streamed = await (await ask({ stream: true })).text();
    expect(streamed).toMatch(/data: \[DONE\]\n\n: x-gw-usage .*\n\n: x-gw-cost 0\.015\n\n$/);
    expect(streamed).not.toContain('"usage"');
    await gateway.close();
  });
});
