import { CohereClient, CohereClientV2 } from 'cohere-ai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects, toTexts } from '../../../schema/json/loose.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const documents = ['four', 'seventeen letters', 'a'];
/** The longest text is the most relevant. */
const scoreOf = (text: string): number => text.length / 32;

interface Ranked {
  readonly index: number;
  readonly score: number;
  readonly text: string;
}

const rank = (texts: readonly string[], most: unknown): readonly Ranked[] =>
  texts
    .map((text, index) => ({ index, score: scoreOf(text), text }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, typeof most === 'number' ? most : undefined);

/** A provider as its documentation describes it: the members it accepts, and its answer to them. */
interface Vendor {
  readonly provider: string;
  readonly settings?: JsonObject;
  readonly base: string;
  /** By the version of Cohere's API that the client calls. */
  readonly paths: { readonly 1: string; readonly 2: string };
  readonly members: readonly string[];
  texts(body: JsonObject): readonly string[];
  answer(body: JsonObject, texts: readonly string[]): JsonObject;
}

const plainTexts = (body: JsonObject): readonly string[] => {
  expect(body).toMatchObject({ query: 'Which?' });
  return (findItems(body.documents) ?? []).map((each) => findText(each) ?? findText(findObject(each)?.text) ?? '');
};

const results = (ranked: readonly Ranked[], document: (text: string) => object): JsonObject[] =>
  ranked.map(({ index, score, text }) => ({ index, relevance_score: score, ...document(text) }));

/** https://docs.cohere.com/reference/rerank, https://docs.cohere.com/v1/reference/rerank */
const cohere: Vendor = {
  provider: 'cohere',
  base: '',
  paths: { 1: '/v1/rerank', 2: '/v2/rerank' },
  members: ['model', 'query', 'documents', 'top_n', 'return_documents', 'max_tokens_per_doc', 'rank_fields'],
  texts: plainTexts,
  answer: (body, texts) => ({
    id: 'r-1',
    results: results(rank(texts, body.top_n), (text) => (body.return_documents === true ? { document: { text } } : {})),
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  }),
};

/** https://jina.ai/reranker */
const jina: Vendor = {
  provider: 'jina',
  base: '/v1',
  paths: { 1: '/v1/rerank', 2: '/v1/rerank' },
  members: ['model', 'query', 'documents', 'top_n', 'return_documents', 'max_tokens_per_doc', 'rank_fields'],
  texts: plainTexts,
  answer: (body, texts) => ({
    model: 'ranker-1',
    object: 'list',
    usage: { total_tokens: 12 },
    results: results(rank(texts, body.top_n), (text) => ({ document: { text } })),
  }),
};

/** A server that follows OpenAI and also ranks, which the gateway does not know. */
const own: Vendor = { ...jina, provider: 'openai' };

/** https://docs.voyageai.com/reference/reranker-api */
const voyage: Vendor = {
  provider: 'voyage',
  base: '/v1',
  paths: { 1: '/v1/rerank', 2: '/v1/rerank' },
  members: ['model', 'query', 'documents', 'top_k', 'return_documents', 'truncation'],
  texts: plainTexts,
  answer: (body, texts) => ({
    object: 'list',
    data: results(rank(texts, body.top_k), (text) => (body.return_documents === true ? { document: text } : {})),
    model: 'ranker-1',
    usage: { total_tokens: 12 },
  }),
};

/** https://docs.fireworks.ai/api-reference/rerank-documents */
const fireworks: Vendor = {
  provider: 'fireworks-ai',
  base: '',
  paths: { 1: '/inference/v1/rerank', 2: '/inference/v1/rerank' },
  members: ['model', 'query', 'documents', 'top_n', 'return_documents', 'max_tokens_per_doc', 'rank_fields'],
  texts: plainTexts,
  answer: (body, texts) => ({
    object: 'list',
    model: 'ranker-1',
    data: results(rank(texts, body.top_n), (text) => (body.return_documents === true ? { document: text } : {})),
    usage: { total_tokens: 12, prompt_tokens: 12, completion_tokens: 0 },
  }),
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-card-cohere-rerank-3-5.html */
const bedrock: Vendor = {
  provider: 'bedrock',
  settings: { cloudc_region: 'eu-central-1' },
  base: '',
  paths: { 1: '/model/ranker-1/invoke', 2: '/model/ranker-1/invoke' },
  members: ['query', 'documents', 'top_n'],
  texts(body) {
    expect(toTexts(body.documents)).toHaveLength(findItems(body.documents)?.length ?? -1);
    return plainTexts(body);
  },
  answer: (body, texts) => ({ results: results(rank(texts, body.top_n), () => ({})) }),
};

/** https://docs.cloud.google.com/generative-ai-app-builder/docs/ranking */
const vertex: Vendor = {
  provider: 'vertex-ai',
  settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' },
  base: '',
  paths: {
    1: '/v1/projects/acme/locations/global/rankingConfigs/default_ranking_config:rank',
    2: '/v1/projects/acme/locations/global/rankingConfigs/default_ranking_config:rank',
  },
  members: ['model', 'query', 'records', 'topN', 'ignoreRecordDetailsInResponse'],
  texts({ query, records, ignoreRecordDetailsInResponse: isShort }) {
    expect([query, isShort]).toEqual(['Which?', true]);
    return toObjects(records).map(({ id, content }, at) => {
      expect(id).toBe(String(at));
      return findText(content) ?? '';
    });
  },
  answer: ({ topN }, texts) => ({
    records: rank(texts, topN).map(({ index, score }) => ({ id: String(index), score })),
  }),
};

const target = ({ provider, base, settings }: Vendor): JsonObject => ({
  provider,
  ...settings,
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}${base}`,
});

const options = (config: JsonObject) => ({
  environment: world.gateway.origin,
  token: 'not-sent',
  maxRetries: 0,
  headers: { 'x-gw-config': JSON.stringify(config) },
});
const second = (config: JsonObject): CohereClientV2 => new CohereClientV2(options(config));
const first = (config: JsonObject): CohereClient => new CohereClient(options(config));

const asked = { model: 'ranker-1', query: 'Which?', documents };
const order = [
  { index: 1, relevanceScore: scoreOf('seventeen letters') },
  { index: 0, relevanceScore: scoreOf('four') },
];

describe.each([cohere, jina, own, voyage, fireworks, bedrock, vertex])("Cohere's clients at $provider", (vendor) => {
  const serve = (): readonly ReceivedRequest[] => {
    const requests: ReceivedRequest[] = [];
    world.upstream.handle((call) => {
      requests.push(call.request);
      const body = call.request.json() as JsonObject;
      const unknown = Object.keys(body).filter((name) => !vendor.members.includes(name));
      if (unknown.length > 0) return call.json({ message: `unknown ${unknown}` }, { status: 400 });
      return call.json(vendor.answer(body, vendor.texts(body)));
    });
    return requests;
  };

  it('get the most relevant documents first in version 2', async () => {
    const requests = serve();
    const { results: found } = await second(target(vendor)).rerank({ ...asked, topN: 2 });
    expect(found).toMatchObject(order);
    expect(found).toHaveLength(2);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`POST ${vendor.paths[2]}`]);
    expect(requests[0]?.header('authorization')).toBe('Bearer key-of-the-test');
  });

  it('get them with their texts in version 1', async () => {
    const requests = serve();
    const { results: found } = await first(target(vendor)).rerank({ ...asked, topN: 2, returnDocuments: true });
    expect(found).toMatchObject(order.map((each) => ({ ...each, document: { text: documents[each.index] } })));
    expect(requests.map(({ path }) => path)).toEqual([vendor.paths[1]]);
  });

  it('get a result for each document by default', async () => {
    serve();
    const { results: found } = await second(target(vendor)).rerank(asked);
    expect(found.map(({ index }) => index)).toEqual([1, 0, 2]);
  });

  it('get an error for an empty list of documents, or the answer of the provider', async () => {
    serve();
    const answered = second(target(vendor)).rerank({ ...asked, documents: [] });
    if (['bedrock', 'vertex-ai'].includes(vendor.provider))
      await expect(answered).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('documents') });
    else expect((await answered).results).toEqual([]);
  });

  it('get errors with the status and the message of the provider', async () => {
    const error = { error: { message: 'Slow down.' }, message: 'Slow down.', detail: 'Slow down.' };
    world.upstream.handle((call) => call.json(error, { status: 429 }));
    const answered = second(target(vendor)).rerank(asked);
    await expect(answered).rejects.toMatchObject({ statusCode: 429, message: expect.stringContaining('Slow down.') });
  });
});

describe.each([bedrock, vertex])('a ranking of $provider, which has its own form', (vendor) => {
  const post = (body: object, config: JsonObject = target(vendor)): Promise<Response> =>
    fetch(`${world.gateway.baseUrl}/rerank`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
      body: JSON.stringify({ ...asked, ...body }),
    });

  it.each<[what: string, (body: JsonObject) => JsonObject]>([
    [
      'with a document that was not in the request',
      () => ({ results: [{ index: 3, relevance_score: 1 }], records: [{ id: '3', score: 1 }] }),
    ],
    [
      'with two results for one document',
      () => ({ results: [0, 0].map((index) => ({ index, relevance_score: 1 })), records: [{ id: '0' }, { id: '0' }] }),
    ],
    [
      'with a score that is not a number',
      () => ({ results: [{ index: 0, relevance_score: 'a' }], records: [{ id: '0', score: 'a' }] }),
    ],
    ['that is an error with status 200', () => ({ error: { message: 'Overloaded' } })],
  ])('falls back if its answer is one %s', async (_, answer) => {
    let count = 0;
    world.upstream.handle((call) => {
      count += 1;
      const body = call.request.json() as JsonObject;
      return call.json(count === 1 ? answer(body) : vendor.answer(body, vendor.texts(body)));
    });
    const answered = await post({}, { strategy: { mode: 'fallback' }, targets: [target(vendor), target(vendor)] });
    expect(await answered.json()).toMatchObject({ results: [{ index: 1 }, { index: 0 }, { index: 2 }] });
    expect(count).toBe(2);
  });

  it('ranks the selected fields of documents that are objects, and returns the whole objects', async () => {
    const sent: JsonObject[] = [];
    world.upstream.handle((call) => {
      const body = call.request.json() as JsonObject;
      sent.push(body);
      return call.json(vendor.answer(body, vendor.texts(body)));
    });
    const given = [
      { title: 'A', text: 'ignored', page: '7' },
      { title: 'Longer', text: 'ignored', page: '8' },
    ];
    const more = { documents: given, rank_fields: ['title', 'none'], return_documents: true };
    const { results: found } = (await (await post(more)).json()) as { results: readonly JsonObject[] };
    expect(found.map(({ document }) => document)).toEqual([given[1], given[0]]);
    const [body = {}] = sent;
    expect(vendor.texts(body)).toEqual(['A', 'Longer']);
  });

  it('reports parameters that have no form there, and an estimate of its usage', async () => {
    world.upstream.handle((call) => {
      const body = call.request.json() as JsonObject;
      return call.json(vendor.answer(body, vendor.texts(body)));
    });
    const answered = await post({ max_tokens_per_doc: 9, priority: null });
    expect(answered.headers.get('x-gw-dropped-params')).toBe('extensions.rerank.max_tokens_per_doc');
    const { usage } = (await answered.json()) as { usage: { total_tokens: number } };
    expect(usage.total_tokens).toBeGreaterThan(3);
  });

  it.each<[what: string, more: object, member: string]>([
    ['if a document is not text', { documents: [{ image: 'https://example.com/a.png' }] }, 'documents[0]'],
    ['if a document is a number', { documents: [7] }, 'documents[0]'],
    ['without documents', { documents: [] }, 'documents'],
    ['if the query is not text', { query: { text: 'a' } }, 'query'],
    ['if it asks for no results', { top_n: 0 }, 'top_n'],
    ['if it asks for one and a half results', { top_n: 1.5 }, 'top_n'],
    ['if return_documents is not a boolean', { return_documents: 'yes' }, 'return_documents'],
  ])('is rejected %s', async (_, more, member) => {
    const before = world.upstream.requests.length;
    const answered = await post(more);
    expect([answered.status, await answered.text()]).toEqual([400, expect.stringContaining(member)]);
    expect(world.upstream.requests.length).toBe(before);
  });
});

it("sends the version in the body to Cohere's models at Bedrock, and none to Amazon's", async () => {
  const config = target(bedrock);
  world.upstream.handle((call) => call.json({ results: [{ index: 0, relevance_score: 1 }] }));
  for (const model of ['cohere.rerank-v3-5:0', 'arn:aws:bedrock:eu-central-1::foundation-model/cohere.rerank-v3-5:0'])
    await second(config).rerank({ ...asked, model, documents: ['a'] });
  await second(config).rerank({ ...asked, model: 'amazon.rerank-v1:0', documents: ['a'] });
  const sent = world.upstream.requests.slice(-3).map((each) => [each.path, (each.json() as JsonObject).api_version]);
  expect(sent).toEqual([
    ['/model/cohere.rerank-v3-5%3A0/invoke', 2],
    ['/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A%3Afoundation-model%2Fcohere.rerank-v3-5%3A0/invoke', 2],
    ['/model/amazon.rerank-v1%3A0/invoke', undefined],
  ]);
});

it("returns Voyage's form to Voyage's own clients, and drops what Voyage rejects", async () => {
  const answer = voyage.answer({ top_k: 1, return_documents: true }, documents);
  world.upstream.handle((call) => call.json(answer));
  const post = (body: object): Promise<Response> =>
    fetch(`${world.gateway.baseUrl}/rerank`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target(voyage)) },
      body: JSON.stringify({ ...asked, ...body }),
    });
  const own = await post({ top_k: 1, return_documents: true });
  expect(await own.json()).toEqual({ ...answer, results: [expect.objectContaining({ index: 1 })] });
  expect(world.upstream.requests.at(-1)?.json()).toEqual({ ...asked, top_k: 1, return_documents: true });
  await post({ documents: ['Snow.', { text: 'Rain in Graz.', lang: 'en' }] });
  expect(world.upstream.requests.at(-1)?.json()).toEqual({ ...asked, documents: ['Snow.', 'Rain in Graz.'] });
  const dropped = await post({ max_tokens_per_doc: 5 });
  expect(dropped.headers.get('x-gw-dropped-params')).toBe('max_tokens_per_doc');
  expect(world.upstream.requests.at(-1)?.json()).toEqual(asked);
});
