import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

/** An operation as its clients request it, and as one provider of their dialect answers. */
interface Subject {
  readonly operation: string;
  readonly path: string;
  readonly provider: string;
  readonly base: string;
  readonly upstreamPath: string;
  /** Returns a request body with a text. */
  body(text: string): JsonObject;
  readonly answer: JsonObject;
  /** The usage of the answer, as `x-gw-usage` reports it. */
  readonly usage: object;
}

const page = (markdown: string): JsonObject => ({
  ...{ index: 0, markdown, images: [], dimensions: { dpi: 200, height: 9, width: 9 } },
});

const rerank: Subject = {
  operation: 'rerank',
  path: '/rerank',
  provider: 'cohere',
  base: '',
  upstreamPath: '/v1/rerank',
  body: (text) => ({ model: 'ranker-1', query: 'Which?', documents: ['one', text] }),
  answer: {
    results: [{ index: 1, relevance_score: 0.5 }],
    meta: { billed_units: { search_units: 3 } },
  },
  usage: { kind: 'reported', model: 'ranker-1', input: { total: 0 }, output: { total: 0 }, calls: { search: 3 } },
};

const scores = { harassment: 0.1, violence: 0.9, 'violence/graphic': 0.2 };
const moderate: Subject = {
  operation: 'moderate',
  path: '/moderations',
  provider: 'openai',
  base: '/v1',
  upstreamPath: '/v1/moderations',
  body: (text) => ({ model: 'omni-moderation-latest', input: ['one', text] }),
  answer: {
    id: 'modr-1',
    model: 'omni-moderation-2024-09-26',
    results: [
      {
        flagged: true,
        categories: { harassment: false, violence: true, 'violence/graphic': false },
        category_scores: scores,
        category_applied_input_types: { harassment: ['text'], violence: ['text', 'image'], 'violence/graphic': [] },
      },
    ],
  },
  usage: { kind: 'estimated', model: 'omni-moderation-2024-09-26', output: { total: 0 } },
};

const ocr: Subject = {
  operation: 'ocr',
  path: '/ocr',
  provider: 'mistral-ai',
  base: '/v1',
  upstreamPath: '/v1/ocr',
  body: (text) => ({
    model: 'mistral-ocr-2512',
    document: { type: 'document_url', document_url: 'https://example.com/a.pdf' },
    document_annotation_prompt: text,
  }),
  answer: {
    pages: [page('# Title'), page('A stitch in time saves nine.')],
    model: 'mistral-ocr-2512',
    usage_info: { pages_processed: 2, doc_size_bytes: 3000 },
    document_annotation: null,
  },
  usage: { kind: 'reported', input: { total: 0 }, output: { total: 0 }, calls: { page: 2 } },
};

const target = ({ provider, base }: Subject, more: JsonObject = {}): JsonObject => ({
  ...{ provider, api_key: 'key-of-the-test', custom_host: `${world.upstream.origin}${base}` },
  ...more,
});

const post = (path: string, body: string | JsonObject, config: JsonObject): Promise<Response> =>
  fetch(`${world.gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config), 'x-gw-usage': 'true' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const denying = (phase: 'input' | 'output', words: readonly string[]): JsonObject => ({
  [`${phase}_guardrails`]: [{ 'default.contains': { words: [...words], operator: 'none' }, deny: true }],
});

describe.each([rerank, moderate, ocr])('$operation', (subject) => {
  const { path, answer, upstreamPath } = subject;
  const serve = (text = JSON.stringify(answer)): void =>
    world.upstream.handle((call) => call.answer({ body: text, headers: { 'content-type': 'application/json' } }));
  const received = () => world.upstream.requests.at(-1) ?? expect.unreachable();

  it('is passed through byte for byte to a provider that speaks its dialect, and so is its answer', async () => {
    const sent = `{ "unknown" : [1.0, "\\u00e9"],\n${JSON.stringify(subject.body('two')).slice(1)}`;
    const answered = ` ${JSON.stringify({ ...answer, unknown: 1 }).replace('{', '{\n ')}\n`;
    serve(answered);
    const response = await post(path, sent, target(subject));
    expect([response.status, await response.text()]).toEqual([200, answered]);
    expect([received().path, received().text()]).toEqual([upstreamPath, sent]);
    expect(received().header('authorization')).toBe('Bearer key-of-the-test');
  });

  it('reports its usage', async () => {
    serve();
    const response = await post(path, subject.body('two'), target(subject));
    expect(JSON.parse(response.headers.get('x-gw-usage') ?? '')).toMatchObject(subject.usage);
  });

  it('is sent with overrides and is otherwise unchanged', async () => {
    serve();
    await post(path, subject.body('two'), target(subject, { override_params: { model: 'other' } }));
    expect(received().json()).toEqual({ ...subject.body('two'), model: 'other' });
  });

  it('is denied only for its texts', async () => {
    serve();
    const before = world.upstream.requests.length;
    const checked = target(subject, denying('input', ['secret']));
    expect((await post(path, subject.body('a secret'), checked)).status).toBe(446);
    expect(world.upstream.requests.length).toBe(before);
    expect((await post(path, subject.body('two'), checked)).status).toBe(200);
  });

  it('is answered from the cache', async () => {
    serve();
    const cached = target(subject, { cache: { mode: 'simple' } });
    const before = world.upstream.requests.length;
    const ask = async () => {
      const response = await post(path, subject.body('cached'), cached);
      return [response.headers.get('x-gw-cache-status'), await response.text()];
    };
    expect([await ask(), await ask()]).toEqual([
      ['MISS', JSON.stringify(answer)],
      ['HIT', JSON.stringify(answer)],
    ]);
    expect(world.upstream.requests.length).toBe(before + 1);
  });

  it('is retried, and falls back', async () => {
    const statuses = [429, 500, 500, 200];
    world.upstream.handle((call) => {
      const status = statuses.shift() ?? 200;
      return call.json(status === 200 ? answer : { error: { message: 'No.' }, message: 'No.' }, {
        status,
        headers: { 'retry-after-ms': '1' },
      });
    });
    const retry = { attempts: 1, on_status_codes: [429, 500] };
    const tried = target(subject, { retry });
    const response = await post(path, subject.body('two'), { strategy: { mode: 'fallback' }, targets: [tried, tried] });
    expect([response.status, await response.json(), statuses]).toEqual([200, answer, []]);
  });

  it('is forwarded unchanged to a provider that is not known to support it', async () => {
    const sent = ` ${JSON.stringify(subject.body('two'))}`;
    serve();
    const response = await post(`${path}?a=b`, sent, { ...target(subject), provider: 'groq' });
    expect([response.status, await response.text()]).toEqual([200, JSON.stringify(answer)]);
    expect([received().path, received().text()]).toEqual([`${subject.base}${path}?a=b`, sent]);
    const denied = await post(path, subject.body('a secret'), {
      ...target(subject, denying('input', ['secret'])),
      provider: 'groq',
    });
    expect(denied.status).toBe(446);
  });

  it('is not cached there, and is refused if a check may deny the answer, because the gateway cannot read it', async () => {
    serve();
    const unknown = (more: JsonObject): JsonObject => ({ ...target(subject, more), provider: 'groq' });
    const before = world.upstream.requests.length;
    const cached = unknown({ cache: { mode: 'simple' } });
    for (let asked = 0; asked < 2; asked += 1) expect((await post(path, subject.body('two'), cached)).status).toBe(200);
    expect(world.upstream.requests.length).toBe(before + 2);
    expect((await post(path, subject.body('two'), unknown(denying('output', ['secret'])))).status).toBe(446);
  });
});

describe.each([rerank, moderate])('the answer to $operation, which contains only numbers', (subject) => {
  it('has nothing that an output check could judge', async () => {
    world.upstream.handle((call) => call.json(subject.answer));
    const response = await post(subject.path, subject.body('two'), target(subject, denying('output', ['one', '0.5'])));
    expect([response.status, await response.json()]).toEqual([200, subject.answer]);
  });

  it('is judged if it contains a text', async () => {
    world.upstream.handle((call) => call.json({ ...subject.answer, note: 'It is a secret.' }));
    const response = await post(subject.path, subject.body('two'), target(subject, denying('output', ['secret'])));
    expect(response.status).toBe(446);
  });
});

describe('the text that OCR reads', () => {
  const replacing = { output_guardrails: [{ 'default.regexReplace': { rule: 'st\\w+h', redactText: '[a]' } }] };
  const said = (more: JsonObject = {}): void => world.upstream.handle((call) => call.json({ ...ocr.answer, ...more }));

  it.each<[what: string, more: JsonObject]>([
    ['a page', {}],
    ['a table', { pages: [{ ...page(''), tables: [{ id: 't', content: '| saves |', format: 'markdown' }] }] }],
    ['a text block', { pages: [{ ...page(''), blocks: [{ type: 'text', content: 'saves', top_left_x: 1 }] }] }],
    ['a header', { pages: [{ ...page(''), header: 'saves' }] }],
    ['a document annotation', { pages: [], document_annotation: '{"verb":"saves"}' }],
    ['an image annotation', { pages: [{ ...page(''), images: [{ id: 'i', image_annotation: '{"a":"saves"}' }] }] }],
  ])('is judged: %s', async (_, more) => {
    said(more);
    const response = await post('/ocr', ocr.body('two'), target(ocr, denying('output', ['saves'])));
    expect(response.status).toBe(446);
  });

  it('can be changed by checks', async () => {
    said();
    const response = await post('/ocr', ocr.body('two'), target(ocr, replacing));
    expect(await response.json()).toMatchObject({ pages: [{}, { markdown: 'A [a] in time saves nine.' }] });
  });

  it.each<[what: string, document: JsonObject]>([
    ['a URL', { type: 'document_url', document_url: 'https://example.com/a.pdf' }],
    ['an image', { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    ['a stored file', { type: 'file', file_id: 'f-1' }],
    ['a document without a type', { document_url: 'https://example.com/a.pdf' }],
  ])('cannot be checked in advance, so an input check that may deny refuses a document: %s', async (_, document) => {
    said();
    const body = { model: 'mistral-ocr-2512', document };
    expect((await post('/ocr', body, target(ocr, denying('input', ['secret'])))).status).toBe(446);
    expect((await post('/ocr', body, target(ocr))).status).toBe(200);
  });

  it('costs what its pages cost, with a separate price for annotated pages', async () => {
    said();
    const plain = await post('/ocr', ocr.body('two'), target(ocr));
    // A thousand pages cost 2 dollars, and a thousand annotated pages 3 dollars.
    expect(plain.headers.get('x-gw-cost')).toContain('0.004');
    said({ document_annotation: '{}' });
    const annotated = await post('/ocr', ocr.body('two'), target(ocr));
    expect(annotated.headers.get('x-gw-usage')).toContain('"annotated_page":2');
    expect(annotated.headers.get('x-gw-cost')).toContain('0.006');
  });
});

describe('a moderation', () => {
  const client = (config: JsonObject): OpenAI =>
    new OpenAI({
      ...{ baseURL: world.gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0 },
      defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
    });
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } } as const;

  it("returns OpenAI's answer to OpenAI's client", async () => {
    world.upstream.handle((call) => call.json(moderate.answer));
    const input = [{ type: 'text', text: 'Hello.' } as const, image];
    const answered = await client(target(moderate)).moderations.create({ model: 'omni-moderation-latest', input });
    expect(answered).toEqual(moderate.answer);
    expect(world.upstream.requests.at(-1)?.json()).toEqual({ model: 'omni-moderation-latest', input });
  });

  it('is known to cost nothing at OpenAI', async () => {
    world.upstream.handle((call) => call.json(moderate.answer));
    const response = await post('/moderations', { input: 'Hello.' }, target(moderate));
    expect(response.headers.get('x-gw-cost')).toMatch(/^0(?:\.0+)?\b/);
  });

  it.each<[what: string, input: Json | undefined, status: number]>([
    ['a text', 'A secret.', 446],
    ['a list of texts', ['one', 'A secret.'], 446],
    ['parts', [{ type: 'text', text: 'A secret.' }, image], 446],
    ['parts that do not contain the word', [{ type: 'text', text: 'one' }, image], 200],
    ['an image alone, which no check can read', [image], 446],
    ['a missing input, which no check can read either', undefined, 446],
  ])('is judged by %s', async (_, input, status) => {
    world.upstream.handle((call) => call.json(moderate.answer));
    const body: JsonObject = input === undefined ? {} : { input };
    const response = await post('/moderations', body, target(moderate, denying('input', ['secret'])));
    expect(response.status).toBe(status);
  });

  it('is not changed by checks, because the verdict would be that of another text', async () => {
    world.upstream.handle((call) => call.json(moderate.answer));
    const replacing = { 'default.regexReplace': { rule: 'bad', redactText: 'good' } };
    const checked = target(moderate, { input_guardrails: [replacing] });
    expect((await post('/moderations', { input: 'bad' }, checked)).status).toBe(200);
    expect(world.upstream.requests.at(-1)?.json()).toEqual({ input: 'bad' });
    const may = target(moderate, { input_guardrails: [{ ...replacing, deny: true }] });
    expect((await post('/moderations', { input: 'bad' }, may)).status).toBe(446);
  });

  it("maps Mistral's categories to OpenAI's names and adds \"flagged\" for OpenAI's clients", async () => {
    const categories = { sexual: false, hate_and_discrimination: false, dangerous: true, criminal: false, pii: false };
    const category_scores = { sexual: 0.1, hate_and_discrimination: 0.2, dangerous: 0.8, criminal: 0.3, pii: 0.4 };
    const quiet = { categories: { pii: false }, category_scores: { pii: 0.1 } };
    const private_ = { categories: { selfharm: false, pii: true }, category_scores: { selfharm: 0, pii: 0.9 } };
    world.upstream.handle((call) =>
      call.json({
        id: 'm',
        model: 'mistral-moderation-2603',
        results: [{ categories, category_scores }, quiet, private_],
      }),
    );
    const mistral = target({ ...moderate, provider: 'mistral-ai' });
    const { results } = await client(mistral).moderations.create({
      model: 'mistral-moderation-2603',
      input: ['a', 'b', 'c'],
    });
    expect(results).toEqual([
      {
        flagged: true,
        categories: { ...categories, hate: false, illicit: true },
        category_scores: { ...category_scores, hate: 0.2, illicit: 0.8 },
      },
      { flagged: false, ...quiet },
      {
        flagged: true,
        categories: { ...private_.categories, 'self-harm': false },
        category_scores: { ...private_.category_scores, 'self-harm': 0 },
      },
    ]);
  });
});

describe('a passed-through request with a credential of the gateway', () => {
  let saved: GatewayProcess;
  beforeAll(async () => {
    const provider = (id: string): JsonObject => ({
      ...{ provider: id, credential: { api_key: '${env:KEY}' } },
      settings: { custom_host: `${world.upstream.origin}/v1` },
    });
    saved = await startGateway({
      files: {
        'gateway.json': {
          auth: { keys: [{ id: 'caller', key: '${env:CALLER}' }] },
          providers: { fast: provider('groq'), local: provider('vllm') },
        },
      },
      args: ['--config', 'gateway.json'],
      env: { KEY: 'key-of-the-file', CALLER: 'key-of-the-caller' },
    });
  });
  afterAll(() => saved.stop());

  const ask = (slug: string, path: string): Promise<Response> =>
    fetch(`${saved.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-gw-api-key': 'key-of-the-caller' },
        'x-gw-config': JSON.stringify({ provider: `@${slug}` }),
      },
      body: '{"model":"m"}',
    });

  it('may call models, but cannot change an account that is shared', async () => {
    world.upstream.handle((call) => call.json({}));
    expect((await ask('fast', '/ocr')).status).toBe(200);
    const before = world.upstream.requests.length;
    const refused = await ask('local', '/ocr');
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('account-change-refused')]);
    expect(world.upstream.requests.length).toBe(before);
  });
});
