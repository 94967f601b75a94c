import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { toTexts } from '../../../schema/json/loose.ts';
import { cohere, openai, type Vendor, vectorOf, vendorAnswer, vendors } from '../../support/embeddings/vendors.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

type Asking = Pick<Vendor, 'provider' | 'base' | 'settings' | 'model'>;

const post = (path: string, body: JsonObject, { provider, base, settings }: Asking): Promise<Response> =>
  fetch(`${world.gateway.origin}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify({
        provider,
        ...settings,
        api_key: 'k',
        custom_host: `${world.upstream.origin}${base}`,
      }),
    },
    body: JSON.stringify(body),
  });

const ask = (texts: readonly string[], vendor: Asking): Promise<Response> => {
  const { model = 'embedder-1' } = vendor;
  return post('/v2/embed', { model, texts: [...texts], input_type: 'search_document' }, vendor);
};

const answerWith = (body: string): void =>
  world.upstream.handle((call) => call.answer({ headers: { 'content-type': 'application/json' }, body }));

const foreign = vendors.filter(({ provider, model }) => provider !== 'cohere' && model?.includes('cohere') !== true);

describe.each(foreign)('an answer of $provider to a client of Cohere', (vendor) => {
  const second = JSON.stringify(vectorOf('bb'));
  /** Answers with another vector for the second text. */
  const serve = (vector: string): void =>
    world.upstream.handle((call) => {
      const { json } = vendorAnswer(vendor, call.request.json() as JsonObject);
      const body = JSON.stringify(json).replace(second, vector);
      call.answer({ headers: { 'content-type': 'application/json' }, body });
    });

  it('is valid if each text has its vector', async () => {
    serve(second);
    const answer = (await (await ask(['a', 'bb'], vendor)).json()) as JsonObject;
    expect(answer.embeddings).toEqual({ float: [[...vectorOf('a')], [...vectorOf('bb')]] });
  });

  it.each([
    '[2]',
    '[]',
    '[2,1e999,-0.5]',
    '[2,1e300,-0.5]',
    '[2,null,-0.5]',
    '["2",1,1]',
    '[[2],1,1]',
    'null',
    '{}',
    '7',
  ])('is an error with the vector %s', async (vector) => {
    serve(vector);
    expect((await ask(['a', 'bb'], vendor)).status).toBe(502);
  });
});

const toBase64 = (...values: readonly number[]): string =>
  Buffer.from(Float32Array.from(values).buffer).toString('base64');

const list = (data: Json): string => JSON.stringify({ object: 'list', data, model: 'embedder-1' });

describe("an answer in OpenAI's form", () => {
  const at = (index: Json, embedding: Json): Json => ({ object: 'embedding', index, embedding });

  it('is sorted by the indexes of its vectors', async () => {
    answerWith(list([at(1, toBase64(7)), at(0, [5])]));
    const answer = (await (await ask(['a', 'bb'], openai)).json()) as JsonObject;
    expect(answer.embeddings).toEqual({ float: [[5], [7]] });
  });

  it.each<[string, Json]>([
    ['two vectors for one text', [at(0, [1]), at(0, [2])]],
    ['indexes that no text has', [at(5, [1]), at(7, [2])]],
    ['a negative index', [at(-1, [1]), at(0, [2])]],
    ['a fractional index', [at(0.5, [1]), at(0, [2])]],
    ['an index that another vector has by its position', [at(1, [1]), { embedding: [2] }]],
    ['NaN in a vector', [at(0, toBase64(Number.NaN)), at(1, toBase64(1))]],
    ['infinity in a vector', [at(0, toBase64(Number.POSITIVE_INFINITY)), at(1, toBase64(1))]],
    ['a text that is not base64', [at(0, '!!!!AAAAAA=='), at(1, toBase64(1))]],
    ['a vector of two and a half numbers', [at(0, 'AAAAAAAAAAAAAA=='), at(1, toBase64(1, 2))]],
  ])('is an error with %s', async (_what, data) => {
    answerWith(list(data));
    expect((await ask(['a', 'bb'], openai)).status).toBe(502);
  });
});

describe('the answers to the parts of a list', () => {
  const voyage: Asking = { provider: 'voyage', base: '/v1' };
  const many = Array.from({ length: 1100 }, (_, at) => `text ${at}`);

  it.each<[string, (at: number) => number]>([
    ['the same index for all vectors', () => 0],
    ['indexes beyond the list', (at) => at + 5000],
    ['fractional indexes', (at) => at + 0.5],
  ])('cause an error with %s', async (_what, place) => {
    world.upstream.handle((call) => {
      const { input } = call.request.json() as JsonObject;
      call.answer({
        headers: { 'content-type': 'application/json' },
        body: list(toTexts(input).map((_, at) => ({ object: 'embedding', index: place(at), embedding: [1] }))),
      });
    });
    expect((await post('/v1/embeddings', { model: 'embedder-1', input: many }, voyage)).status).toBe(502);
  });

  it.each<[string, (vectors: readonly Json[]) => Json]>([
    ['of types that another part lacks', (vectors) => ({ float: [...vectors], int8: [...vectors] })],
    ['as a plain list, if another part has types', (vectors) => [...vectors]],
  ])('cause an error with vectors %s', async (_what, write) => {
    world.upstream.handle((call) => {
      const { texts } = call.request.json() as JsonObject;
      const vectors = toTexts(texts).map((): Json => [1]);
      call.json({ id: 'e', embeddings: toTexts(texts)[0] === 'text 0' ? write(vectors) : { float: vectors } });
    });
    const body = { model: 'embedder-1', texts: many.slice(0, 100), input_type: 'search_document' };
    expect((await post('/v2/embed', body, cohere)).status).toBe(502);
  });
});
