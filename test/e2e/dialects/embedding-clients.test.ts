import { GoogleGenAI } from '@google/genai';
import { CohereClient, CohereClientV2 } from 'cohere-ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { cohere, google, type Vendor, vectorOf, vendorAnswer, vendors } from '../../support/embeddings/vendors.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const target = ({ provider, base, settings }: Vendor, more: JsonObject = {}): JsonObject => ({
  provider,
  ...settings,
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}${base}`,
  ...more,
});

const toHeaders = (config: JsonObject): Record<string, string> => ({ 'x-gw-config': JSON.stringify(config) });

interface EmbeddingInput {
  readonly model: string;
  readonly texts: string[];
}

interface Got {
  readonly vectors: readonly (readonly number[])[];
  /** The number of tokens that the client is given. */
  readonly tokens: number | undefined;
}

/** The vendors' own libraries, as their users call them: for queries, with vectors of three numbers. */
const clients: Readonly<Record<string, (config: JsonObject, input: EmbeddingInput) => Promise<Got>>> = {
  async "OpenAI's"(config, { model, texts }) {
    const options = {
      baseURL: world.gateway.baseUrl,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: toHeaders(config),
    };
    // OpenAI itself has no such member, and would refuse it.
    const purpose = config.provider === 'openai' ? {} : { input_type: 'query' };
    const body = { model, input: texts, dimensions: 3, ...purpose };
    const { data, usage } = await new OpenAI(options).embeddings.create(body);
    return { vectors: data.map(({ embedding }) => [...embedding]), tokens: usage?.total_tokens };
  },
  async "Cohere's"(config, { model, texts }) {
    const options = { environment: world.gateway.origin, token: 'not-sent', maxRetries: 0, headers: toHeaders(config) };
    const answer = await new CohereClientV2(options).embed({
      ...{ model, texts, inputType: 'search_query', embeddingTypes: ['float'], outputDimension: 3 },
    });
    expect(answer.id).not.toBe('');
    return { vectors: answer.embeddings.float ?? [], tokens: answer.meta?.billedUnits?.inputTokens };
  },
  async "Cohere's of version 1"(config, { model, texts }) {
    const options = { environment: world.gateway.origin, token: 'not-sent', maxRetries: 0, headers: toHeaders(config) };
    const answer = await new CohereClient(options).embed({ model, texts, inputType: 'search_query' });
    if (answer.responseType !== 'embeddings_floats') throw new Error(`It is ${answer.responseType}.`);
    expect(answer.texts).toEqual(texts);
    return { vectors: answer.embeddings, tokens: answer.meta?.billedUnits?.inputTokens };
  },
  async "Google's"(config, { model, texts }) {
    const httpOptions = { baseUrl: world.gateway.origin, headers: toHeaders(config) };
    const answer = await new GoogleGenAI({ apiKey: 'not-sent', httpOptions }).models.embedContent({
      ...{ model, contents: texts.map((text) => ({ parts: [{ text }] })) },
      config: { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 3 },
    });
    return { vectors: answer.embeddings?.map(({ values = [] }) => values) ?? [], tokens: undefined };
  },
};

const texts = ['eins', 'zwei 👋', ' ', ...Array.from({ length: 120 }, (_, at) => `text ${at}`)];

const serve = (vendor: Vendor): readonly ReceivedRequest[] => {
  const requests: ReceivedRequest[] = [];
  world.upstream.handle((call) => {
    requests.push(call.request);
    const { status, json } = vendorAnswer(vendor, call.request.json() as JsonObject);
    return call.json(json, { status });
  });
  return requests;
};

/** The first version of Cohere's embed has other answers than the second, which the vendor in this test implements. */
const isOther = (client: string, vendor: Vendor): boolean =>
  client === "Cohere's of version 1" && vendor.provider === 'cohere';

const pairs = Object.keys(clients).flatMap((client) =>
  vendors.flatMap((vendor) =>
    isOther(client, vendor) ? [] : [{ client, vendor, name: vendor.model ?? vendor.provider }],
  ),
);

describe.each(pairs)('$client client at $name', ({ client, vendor }) => {
  const ask = (config: JsonObject, input: Partial<EmbeddingInput> = {}) =>
    clients[client]?.(config, { model: vendor.model ?? 'embedder-1', texts, ...input });

  it('gets the vectors of its texts in their order', async () => {
    const requests = serve(vendor);
    const got = await ask(target(vendor));
    expect(got?.vectors).toEqual(texts.map((text) => [...vectorOf(text)]));
    if (got?.tokens !== undefined && vendor.unmetered !== true) expect(got.tokens).toBe(texts.length);
    expect(requests.length).toBe(Math.ceil(texts.length / (vendor.maxTexts ?? texts.length)));
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set([vendor.path]));
    expect(requests[0]?.header(vendor.header)).toMatch(/key-of-the-test$/);
    const sent = requests.map((request) => JSON.stringify(request.json()));
    if (vendor.query !== undefined) for (const body of sent) expect(body).toMatch(vendor.query);
    const sendsDimensions = vendor.dimensions !== undefined && client !== "Cohere's of version 1";
    if (sendsDimensions) for (const body of sent) expect(body).toMatch(vendor.dimensions ?? /./);
    expect(sent.join('')).not.toContain('not-sent');
  });

  it('gets the vector of one text', async () => {
    serve(vendor);
    expect((await ask(target(vendor), { texts: ['one'] }))?.vectors).toEqual([[...vectorOf('one')]]);
  });

  it('calls the model of its config', async () => {
    const requests = serve(vendor);
    const config = target(vendor, { override_params: { model: vendor.model ?? 'embedder-1' } });
    expect((await ask(config, { model: 'another', texts: ['one'] }))?.vectors).toEqual([[...vectorOf('one')]]);
    expect(requests[0]?.path).toBe(vendor.path);
    expect(JSON.stringify(requests[0]?.json())).not.toContain('another');
  });

  it('gets vectors with the dimensions of its config', async () => {
    const requests = serve(vendor);
    await ask(target(vendor, { override_params: { dimensions: 3 } }), { texts: ['one'] });
    if (vendor.dimensions !== undefined) expect(JSON.stringify(requests[0]?.json())).toMatch(vendor.dimensions);
  });

  it('gets its vectors although its config has output checks, which cannot judge vectors', async () => {
    const guardrail = { 'default.contains': { words: ['never there'], operator: 'any' }, deny: true };
    serve(vendor);
    const got = await ask(target(vendor, { output_guardrails: [guardrail] }), { texts: ['one'] });
    expect(got?.vectors).toEqual([[...vectorOf('one')]]);
  });

  it('gets errors in the form that its library expects', async () => {
    world.upstream.handle((call) =>
      call.json({ error: { message: 'Slow down.' }, message: 'Slow down.' }, { status: 429 }),
    );
    await expect(ask(target(vendor), { texts: ['one'] })).rejects.toThrow(/Slow down|429/);
  });
});

describe.each(Object.entries(clients))('%s client', (_, ask) => {
  it('is judged by input checks', async () => {
    const requests = serve(google);
    const denying = { input_guardrails: [{ 'default.contains': { words: ['secret'], operator: 'none' }, deny: true }] };
    const input = { model: 'embedder-1', texts: ['one', 'a secret'] };
    await expect(ask(target(google, denying), input)).rejects.toThrow(/446|guardrail|denied/i);
    expect(requests).toEqual([]);
    await ask(target(google, denying), { ...input, texts: ['one'] });
    expect(requests.length).toBe(1);
  });
});

describe('a client in its provider’s own format', () => {
  const send = async (path: string, body: string, config: JsonObject): Promise<string> => {
    const headers = { 'content-type': 'application/json', ...toHeaders(config) };
    return (await fetch(`${world.gateway.origin}${path}`, { method: 'POST', headers, body })).text();
  };

  it.each<readonly [string, Vendor, string, string, string]>([
    [
      '/v2/embed',
      cohere,
      '/v2/embed',
      '{"model":"m", "texts":["a"],"input_type":"image","embedding_types":["int8"] }',
      '{"embeddings":{"int8":[[1.0]]} ,"id":"x"}',
    ],
    ['/v1/embed', cohere, '/v1/embed', '{"texts": ["a"],  "truncate":"END"}', '{"embeddings":[[1.50]],"id":"x" }'],
    [
      ...(['/v1beta/models/m:embedContent', google, '/v1beta/models/m:embedContent'] as const),
      ...(['{"content":{"parts":[{"text":"a"}]},  "title":"t"}', '{"embedding":{"values":[0.10]} }'] as const),
    ],
    [
      ...(['/v1beta/models/m:batchEmbedContents', google, '/v1beta/models/m:batchEmbedContents'] as const),
      ...([
        '{"requests":[ {"model":"models/m","content":{"parts":[{"text":"a"}]}} ]}',
        '{"embeddings":[{"values":[0.10]}] }',
      ] as const),
    ],
  ])(
    'has its request and its answer passed through byte for byte: %s',
    async (path, vendor, sentPath, body, answer) => {
      const requests: ReceivedRequest[] = [];
      world.upstream.handle((call) => {
        requests.push(call.request);
        call.answer({ headers: { 'content-type': 'application/json' }, body: answer });
      });
      expect(await send(path, body, target(vendor))).toBe(answer);
      expect(requests.map((request) => [request.path, request.text()])).toEqual([[sentPath, body]]);
    },
  );
});

describe('a member that only the provider of the format supports', () => {
  const post = async (path: string, body: JsonObject, vendor: Vendor) => {
    const headers = { 'content-type': 'application/json', ...toHeaders(target(vendor)) };
    return await fetch(`${world.gateway.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const [openai = cohere] = vendors.filter(({ provider }) => provider === 'openai');

  it.each<readonly [string, JsonObject, string]>([
    ['/v2/embed', { model: 'm', texts: ['a'], embedding_types: ['float', 'int8'] }, 'embedding_types[1]'],
    ['/v2/embed', { model: 'm', images: ['data:,'] }, 'images'],
    ['/v2/embed', { model: 'm', inputs: [{ content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }, 'inputs[0]'],
    ['/v2/embed', { model: 'm', texts: ['a'], input_type: 'image' }, 'input_type'],
    ['/v2/embed', { model: 'm', texts: [] }, 'texts'],
    ['/v1/embed', { model: 'm', texts: [7] }, 'texts[0]'],
    ['/v1beta/models/m:embedContent', { content: { parts: [{ inlineData: { data: 'x' } }] } }, 'content.parts[0]'],
    ['/v1beta/models/m:embedContent', { content: { parts: [{ text: 'a' }] }, taskType: 'X' }, 'taskType'],
    ['/v1beta/models/m:batchEmbedContents', { requests: [] }, 'requests'],
    [
      '/v1beta/models/m:batchEmbedContents',
      {
        requests: [
          { content: { parts: [{ text: 'a' }] }, task_type: 'CLUSTERING' },
          { content: { parts: [{ text: 'b' }] }, taskType: 'RETRIEVAL_QUERY' },
        ],
      },
      'requests[1]',
    ],
  ])('is answered with 400 that names it at another provider: %s %j', async (path, body, member) => {
    const before = world.upstream.requests.length;
    const answer = await post(path, body, openai);
    expect([answer.status, world.upstream.requests.length - before]).toEqual([400, 0]);
    expect(await answer.text()).toContain(member);
  });

  it('is reported if it can be omitted', async () => {
    serve(openai);
    const answer = await post(
      '/v2/embed',
      { model: 'm', texts: ['a'], input_type: 'search_query', truncate: 'END' },
      openai,
    );
    expect(answer.headers.get('x-gw-dropped-params')).toBe('purpose, extensions.cohere-embeddings.truncate');
    const titled = { content: { parts: [{ text: 'a' }] }, title: 'A title' };
    const other = await post('/v1beta/models/m:embedContent', titled, openai);
    expect(other.headers.get('x-gw-dropped-params')).toBe('extensions.gemini-embed-content.title');
    expect(await other.json()).toMatchObject({ embedding: { values: vectorOf('a') } });
  });

  it('does not include base64 vectors, which work at another provider', async () => {
    serve(openai);
    const body = { model: 'm', texts: ['a'], embedding_types: ['base64', 'float'] };
    const { embeddings } = (await (await post('/v2/embed', body, openai)).json()) as { embeddings: JsonObject };
    expect(embeddings.float).toEqual([vectorOf('a')]);
    const bytes = Buffer.from(String((embeddings.base64 as string[])[0]), 'base64');
    expect([...new Float32Array(bytes.buffer, bytes.byteOffset, 3)]).toEqual(vectorOf('a'));
  });
});
