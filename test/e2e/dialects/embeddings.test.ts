import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { cohere, google, nomic, type Vendor, vectorOf, vertex } from '../../support/embeddings/vendors.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const target = ({ provider, base, settings }: Vendor): JsonObject => ({
  provider,
  ...settings,
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}${base}`,
});

const client = (config: JsonObject): OpenAI =>
  new OpenAI({
    baseURL: world.gateway.baseUrl,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
  });

describe.each([google, cohere, vertex, nomic])("OpenAI's client at $provider", (vendor) => {
  const serve = (tokens?: number): readonly ReceivedRequest[] => {
    const requests: ReceivedRequest[] = [];
    world.upstream.handle((call) => {
      requests.push(call.request);
      const body = call.request.json() as JsonObject;
      const unknown = Object.keys(body).filter((name) => !vendor.members.includes(name));
      if (unknown.length > 0) return call.json({ message: `unknown ${unknown}` }, { status: 400 });
      return call.json(vendor.answer(vendor.texts(body), tokens));
    });
    return requests;
  };

  it.each(['base64', 'float'] as const)('gets the vectors of its texts in their order, as %s', async (encoding) => {
    const requests = serve(7);
    const texts = ['eins', 'zwei 👋', ''];
    const answer = await client(target(vendor)).embeddings.create({
      model: 'embedder-1',
      input: texts,
      // The client requests base64 by default, and decodes it.
      ...(encoding === 'float' ? { encoding_format: 'float' } : {}),
    });
    expect(answer.data.map(({ index, embedding }) => [index, [...embedding]])).toEqual(
      texts.map((text, index) => [index, vectorOf(text)]),
    );
    expect(answer).toMatchObject({ object: 'list', model: 'embedder-1', usage: { prompt_tokens: 7, total_tokens: 7 } });
    expect(requests.map(({ path }) => path)).toEqual([vendor.path]);
    expect(requests[0]?.header(vendor.header)).toMatch(/key-of-the-test$/);
  });

  it('gets the vector of one text', async () => {
    serve();
    const { data } = await client(target(vendor)).embeddings.create({ model: 'embedder-1', input: 'one' });
    expect(data.map(({ embedding }) => [...embedding])).toEqual([vectorOf('one')]);
  });

  it('gets an estimate of its tokens if the provider reports none', async () => {
    serve();
    const { usage } = await client(target(vendor)).embeddings.create({ model: 'embedder-1', input: 'x'.repeat(400) });
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect(usage.total_tokens).toBe(usage.prompt_tokens);
  });

  it('gets a report of the members that the provider cannot express, and sends its purpose and dimensions', async () => {
    const requests = serve(1);
    const more = { input_type: 'query', user: 'u-1', dimensions: 3 };
    const { response } = await client(target(vendor))
      .embeddings.create({ model: 'embedder-1', input: 'one', ...more })
      .withResponse();
    expect(response.headers.get('x-gw-dropped-params')).toBe('extensions.embeddings.user');
    const sent = JSON.stringify(requests[0]?.json());
    expect(sent).toMatch(vendor.query ?? /^$/);
    expect(sent).toMatch(vendor.dimensions ?? /^$/);
  });

  it.each([
    ['token ids', [1, 2, 3], 'input[0]'],
    ['no text', [], 'input'],
    ['numbers', [3.5], 'input[0]'],
  ])('gets 400 for %s', async (_, input, member) => {
    const requests = serve();
    const answered = client(target(vendor)).embeddings.create({ model: 'embedder-1', input });
    await expect(answered).rejects.toMatchObject({ status: 400, message: expect.stringContaining(member) });
    expect(requests).toEqual([]);
  });

  it('gets errors in its own form', async () => {
    world.upstream.handle((call) =>
      call.json({ error: { message: 'Slow down.' }, message: 'Slow down.' }, { status: 429 }),
    );
    const answered = client(target(vendor)).embeddings.create({ model: 'embedder-1', input: 'one' });
    await expect(answered).rejects.toMatchObject({ status: 429, message: expect.stringContaining('Slow down.') });
  });

  it.each([
    ['too few vectors', (body: JsonObject) => vendor.answer(vendor.texts(body).slice(1), 1)],
    ['an error with a success status', () => ({ error: { message: 'Overloaded' } })],
    [
      'an invalid vector',
      () => ({ embeddings: [{ values: ['a'] }], predictions: [{ embeddings: { values: ['a'] } }] }),
    ],
  ])('falls back from %s', async (_, answer) => {
    let asked = 0;
    world.upstream.handle((call) => {
      asked += 1;
      const body = call.request.json() as JsonObject;
      return call.json(asked === 1 ? answer(body) : vendor.answer(vendor.texts(body), 2));
    });
    const config = { strategy: { mode: 'fallback' }, targets: [target(vendor), target(vendor)] };
    const { data } = await client(config).embeddings.create({ model: 'embedder-1', input: ['one', 'two'] });
    expect(data.map(({ embedding }) => [...embedding])).toEqual([vectorOf('one'), vectorOf('two')]);
    expect(asked).toBe(2);
  });

  it('is judged by input checks, and answered from the cache', async () => {
    const requests = serve(4);
    const denying = { input_guardrails: [{ 'default.contains': { words: ['secret'], operator: 'none' }, deny: true }] };
    const refused = client({ ...target(vendor), ...denying }).embeddings.create({
      model: 'embedder-1',
      input: 'a secret',
    });
    await expect(refused).rejects.toMatchObject({ status: 446 });
    expect(requests).toEqual([]);
    const cached = client({ ...target(vendor), cache: { mode: 'simple' } });
    const ask = () => cached.embeddings.create({ model: 'embedder-1', input: 'cached' }).withResponse();
    const [first, second] = [await ask(), await ask()];
    expect(second.response.headers.get('x-gw-cache-status')).toBe('HIT');
    expect(second.data).toEqual(first.data);
    expect(requests.length).toBe(1);
  });
});
