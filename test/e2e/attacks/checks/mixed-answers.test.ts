import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

/** Two requests that become the same one at a provider of another format, but have different answers. */
interface Pair {
  readonly what: string;
  readonly path: string;
  readonly provider: string;
  readonly settings?: JsonObject;
  readonly answer: JsonObject;
  readonly one: JsonObject;
  readonly other: JsonObject;
  /** Text that the first answer contains and the second does not. */
  readonly only: string;
}

const vector = { id: 'e', embeddings: { float: [[1]] }, meta: { billed_units: { input_tokens: 1 } } };
const openaiVector = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], model: 'm' };
const embedding = { model: 'm', texts: ['one'], input_type: 'search_document' };
const ranked = { records: [{ id: '0', score: 0.5 }] };
const vertex = { provider: 'vertex-ai', settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' } };
const picture = { predictions: [{ bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }] };

const pairs: readonly Pair[] = [
  {
    ...{ what: 'the encoding of vectors', path: '/v1/embeddings', provider: 'cohere', answer: vector },
    one: { model: 'm', input: 'one', encoding_format: 'base64' },
    other: { model: 'm', input: 'one', encoding_format: 'float' },
    only: '"AACAPw=="',
  },
  ...['/v2/embed', '/v1/embed'].map((path) => ({
    ...{ what: `the types of vectors at ${path}`, path, provider: 'openai', answer: openaiVector },
    one: { ...embedding, embedding_types: ['base64'] },
    other: { ...embedding, embedding_types: ['float'] },
    only: '"AACAPw=="',
  })),
  {
    ...{ what: 'whether documents are returned', path: '/v1/rerank', ...vertex, answer: ranked },
    one: { model: 'm', query: 'q', documents: ['one'], return_documents: true },
    other: { model: 'm', query: 'q', documents: ['one'] },
    only: '"document"',
  },
  {
    ...{ what: 'the extra fields of a document', path: '/v1/rerank', ...vertex, answer: ranked },
    one: { model: 'm', query: 'p', documents: [{ text: 'one', of: 'its first owner' }], return_documents: true },
    other: { model: 'm', query: 'p', documents: [{ text: 'one' }], return_documents: true },
    only: 'its first owner',
  },
  {
    ...{ what: 'the size of a streamed picture', path: '/v1/images/generations', provider: 'google', answer: picture },
    one: { model: 'imagen-4', prompt: 'A cat.', size: '1024x1024', stream: true },
    other: { model: 'imagen-4', prompt: 'A cat.', size: '512x512', stream: true },
    only: '1024x1024',
  },
];

const send = async ({ path, provider, settings }: Pair, body: JsonObject, more: JsonObject = {}): Promise<Response> => {
  const target = {
    provider,
    api_key: 'k',
    custom_host: world.upstream.origin,
    ...settings,
    cache: { mode: 'simple' },
    ...more,
  };
  return await fetch(`${world.gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target) },
    body: JSON.stringify(body),
  });
};

it.each(pairs)('keeps answers apart in the cache if requests differ in $what', async (pair) => {
  world.upstream.handle((call) => call.json(pair.answer));
  const first = await send(pair, pair.one);
  const firstText = await first.text();
  expect(firstText).toContain(pair.only);
  const other = await send(pair, pair.other);
  expect(await other.text()).not.toContain(pair.only);
  const again = await send(pair, pair.one);
  expect([again.headers.get('x-gw-cache-status'), await again.text()]).toEqual(['HIT', firstText]);
  const sent = world.upstream.requests.slice(-2).map(({ body }) => body.toString());
  expect(sent[0]).toBe(sent[1]);
});

it.each(pairs.filter(({ path }) => path.endsWith('embeddings') || path.endsWith('embed')))(
  'keeps answers apart in the cache if targets set different $what',
  async (pair) => {
    world.upstream.handle((call) => call.json(pair.answer));
    const plain = { ...pair.other, ...(pair.path.endsWith('embed') ? { texts: ['two'] } : { input: 'two' }) };
    const [{ encoding_format, embedding_types }] = [pair.one];
    const override = encoding_format === undefined ? { embedding_types } : { encoding_format };
    expect(await (await send(pair, plain)).text()).not.toContain(pair.only);
    expect(await (await send(pair, plain, { override_params: override as JsonObject })).text()).toContain(pair.only);
  },
);

it.each(pairs)('does not share a running call between requests that differ in $what', async (pair) => {
  const { promise: release, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  world.upstream.handle(async (call) => {
    calls += 1;
    if (calls === 2) resolve();
    await release;
    call.json(pair.answer);
  });
  // Another credential, for which nothing is cached yet.
  const own = { api_key: 'another' };
  const [one, other] = await Promise.all([send(pair, pair.one, own), send(pair, pair.other, own)]);
  expect(await one.text()).toContain(pair.only);
  expect(await other.text()).not.toContain(pair.only);
});
