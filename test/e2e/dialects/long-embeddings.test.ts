import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { cohere, google, openai, type Vendor, vectorOf } from '../../support/embeddings/vendors.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const texts = Array.from({ length: 5000 }, (_, at) => `${String.fromCodePoint(32 + (at % 90))}${'x'.repeat(at % 251)}`);
const vectors = texts.map((text) => [...vectorOf(text)]);

const target = ({ provider, base, settings }: Vendor, more: JsonObject = {}): JsonObject => ({
  provider,
  ...settings,
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}${base}`,
  ...more,
});

const create = async (config: JsonObject, input: string[] = texts) => {
  const client = new OpenAI({
    baseURL: world.gateway.baseUrl,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': JSON.stringify(config), 'x-gw-usage': 'true' },
  });
  const { data, response } = await client.embeddings.create({ model: 'embedder-1', input }).withResponse();
  const used = JSON.parse(response.headers.get('x-gw-usage') ?? '{}');
  return { data, response, used, vectors: data.data.map(({ embedding }) => [...embedding]) };
};

/** Answers with one token of usage for each text. */
const answer = (call: UpstreamCall, vendor: Vendor): readonly string[] => {
  const body = call.request.json() as JsonObject;
  const asked = vendor.texts(body);
  if (asked.length > (vendor.maxTexts ?? Number.POSITIVE_INFINITY)) {
    call.json({ error: { message: 'too many' }, message: 'too many' }, { status: 400 });
    return [];
  }
  call.json(vendor.answer(asked, asked.length, body));
  return asked;
};

const refuse = (call: UpstreamCall, status = 429): void =>
  call.json({ error: { message: 'Slow down.' }, message: 'Slow down.' }, { status, headers: { 'retry-after': '7' } });

describe.each([cohere, google, openai])('5,000 texts at $provider, which takes $maxTexts', (vendor) => {
  const requests = Math.ceil(texts.length / (vendor.maxTexts ?? 1));

  it('are returned in their order, with a single usage', async () => {
    const asked: string[] = [];
    let most = 0;
    let open = 0;
    world.upstream.handle(async (call) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      asked.push(...answer(call, vendor));
    });
    const before = world.upstream.requests.length;
    const got = await create(target(vendor));
    expect(got.vectors).toEqual(vectors);
    expect(got.data.data.map(({ index }) => index)).toEqual(texts.map((_, at) => at));
    expect(got.data.usage).toEqual({ prompt_tokens: 5000, total_tokens: 5000 });
    expect(got.used).toMatchObject({ kind: 'reported', input: { total: 5000 }, output: { total: 0 } });
    expect(world.upstream.requests.length - before).toBe(requests);
    expect(asked.toSorted()).toEqual(texts.toSorted());
    expect(most).toBeLessThanOrEqual(4);
  });

  it('send only the failed requests again when retried', async () => {
    const answered: string[] = [];
    const refused: string[] = [];
    world.upstream.handle((call) => {
      if (refused.length === 0) {
        refused.push(...vendor.texts(call.request.json() as JsonObject));
        return refuse(call);
      }
      answered.push(...answer(call, vendor));
    });
    const got = await create(target(vendor, { retry: { attempts: 1, on_status_codes: [429] } }));
    expect(got.vectors).toEqual(vectors);
    expect(got.response.headers.get('x-gw-retry-attempt-count')).toBe('1');
    expect(answered.toSorted()).toEqual(texts.toSorted());
    expect(got.data.usage.total_tokens).toBe(5000);
    // Only the usage of the second attempt. The first attempt used what it received.
    expect(got.used.input.total).toBeLessThan(5000);
  });

  it('are all sent to the fallback target if the first target fails', async () => {
    let refused = 0;
    const answered: string[] = [];
    world.upstream.handle((call) => {
      if (
        call.request.header('authorization')?.endsWith('first') ||
        call.request.header('x-goog-api-key') === 'first'
      ) {
        refused += 1;
        return refuse(call, refused > 1 ? 503 : 500);
      }
      answered.push(...answer(call, vendor));
    });
    const config = { strategy: { mode: 'fallback' }, targets: [target(vendor, { api_key: 'first' }), target(vendor)] };
    const got = await create(config);
    expect(got.vectors).toEqual(vectors);
    expect(answered.toSorted()).toEqual(texts.toSorted());
    expect(got.used.input.total).toBe(5000);
    expect(refused).toBeLessThanOrEqual(4);
  });

  it('fail with the status and headers of the request that failed', async () => {
    world.upstream.handle((call) =>
      world.upstream.requests.length % 3 === 0 ? refuse(call) : void answer(call, vendor),
    );
    const failing = create(target(vendor));
    await expect(failing).rejects.toMatchObject({ status: 429, message: expect.stringContaining('Slow down.') });
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    if (error instanceof OpenAI.APIError) expect(error.headers?.get('retry-after')).toBe('7');
  });

  it('fail with 502 if the provider returns fewer vectors than texts', async () => {
    world.upstream.handle((call) => {
      const asked = vendor.texts(call.request.json() as JsonObject);
      return call.json(vendor.answer(asked.slice(1), 1, call.request.json() as JsonObject));
    });
    await expect(create(target(vendor))).rejects.toMatchObject({ status: 502 });
  });

  it('are sent as one request if they fit into one', async () => {
    world.upstream.handle((call) => void answer(call, vendor));
    const before = world.upstream.requests.length;
    const few = texts.slice(0, vendor.maxTexts);
    const got = await create(target(vendor), few);
    expect(got.vectors).toEqual(vectors.slice(0, vendor.maxTexts));
    expect(world.upstream.requests.length - before).toBe(1);
  });
});

describe('a list of texts that is split into several requests', () => {
  it('sends no more of its requests once its attempt has ended', async () => {
    let served = 0;
    world.upstream.handle((call) => {
      served += 1;
      if (served < 3) answer(call, cohere);
    });
    const config = target(cohere, { request_timeout: 300 });
    await expect(create(config)).rejects.toMatchObject({ status: 408 });
    await world.upstream.quiet();
    expect(served).toBeLessThanOrEqual(6);
  });

  it('is refused if it would need too many requests', async () => {
    const before = world.upstream.requests.length;
    const input = Array.from({ length: 96 * 2048 + 1 }, () => 'x');
    await expect(create(target(cohere), input)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('196609 texts'),
    });
    expect(world.upstream.requests.length).toBe(before);
  });

  it('keeps token ids and all other members of a request in the dialect of the provider', async () => {
    const bodies: JsonObject[] = [];
    world.upstream.handle((call) => {
      const body = call.request.json() as JsonObject;
      bodies.push(body);
      const data = (body.input as number[][]).map(([id = 0], index) => ({
        object: 'embedding',
        index,
        embedding: [id],
      }));
      call.json({ object: 'list', data, model: 'm', usage: { prompt_tokens: data.length, total_tokens: data.length } });
    });
    const input = Array.from({ length: 2049 }, (_, at) => [at]);
    const answered = await fetch(`${world.gateway.baseUrl}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target(openai)) },
      body: JSON.stringify({ user: 'u-1', input, model: 'embedder-1', later: { a: 1 } }),
    });
    const { data } = (await answered.json()) as { data: { index: number; embedding: number[] }[] };
    expect(data.map(({ index, embedding }) => [index, ...embedding])).toEqual(input.map(([id]) => [id, id]));
    expect(bodies.map(({ input: _, ...rest }) => rest)).toEqual([
      { user: 'u-1', model: 'embedder-1', later: { a: 1 } },
      { user: 'u-1', model: 'embedder-1', later: { a: 1 } },
    ]);
  });
});
