import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, CountTokensCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinProviders } from '../../plugins/providers/builtin-providers.ts';
import { dialectBasePath } from '../../plugins/sdk/provider/dialect-base-path.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { findObject } from '../../schema/json/loose.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { type ReceivedRequest, startUpstream, type TestUpstream } from '../support/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const counted = 41;
const words = 'How many tokens is this?';
const instructions = 'Be brief.';

/** A format for counting as its vendor documents it. */
interface CountFormat {
  /** The members that a request may have; throws for what the vendor refuses. */
  check(body: JsonObject): void;
  readonly answer: JsonObject;
}

const only = (body: JsonObject | undefined, names: readonly string[], required: readonly string[]): void => {
  const own = Object.keys(body ?? {});
  const unknown = own.filter((name) => !names.includes(name));
  const missing = required.filter((name) => !own.includes(name));
  if (unknown.length + missing.length > 0) throw new Error(`unknown ${unknown}, missing ${missing}`);
};

const messagesNames = ['messages', 'model', 'system', 'thinking', 'tool_choice', 'tools', 'output_config'];
const responsesNames = ['input', 'instructions', 'model', 'parallel_tool_calls', 'reasoning', 'text', 'tool_choice'];

const formats = {
  /** https://docs.anthropic.com/en/api/messages-count-tokens */
  'messages-count': {
    check: (body) => only(body, messagesNames, ['messages', 'model']),
    answer: { input_tokens: counted },
  },
  /** https://platform.openai.com/docs/api-reference/responses/input-tokens */
  'responses-count': {
    check: (body) => only(body, [...responsesNames, 'tools', 'truncation'], ['input', 'model']),
    answer: { object: 'response.input_tokens', input_tokens: counted },
  },
  /** https://ai.google.dev/api/tokens: contents, or a whole request, which must name its model. */
  'gemini-count': {
    check(body) {
      if (body.contents !== undefined) only(body, ['contents'], ['contents']);
      else {
        only(body, ['generateContentRequest'], ['generateContentRequest']);
        const request = findObject(body.generateContentRequest);
        const more = ['systemInstruction', 'tools', 'toolConfig', 'generationConfig'];
        only(request, ['model', 'contents', ...more], ['model', 'contents']);
        if (request?.model !== 'models/a-model') throw new Error(`another model: ${request?.model}`);
      }
    },
    answer: { totalTokens: counted, promptTokensDetails: [{ modality: 'TEXT', tokenCount: counted }] },
  },
  /** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html */
  'converse-count': {
    check(body) {
      only(body, ['input'], ['input']);
      const input = findObject(body.input);
      if (input?.invokeModel === undefined) {
        only(input, ['converse'], ['converse']);
        only(
          findObject(input?.converse),
          ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'],
          ['messages'],
        );
      } else only(input, ['invokeModel'], ['invokeModel']);
    },
    answer: { inputTokens: counted },
  },
  /** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens */
  vertexGemini: {
    check: (body) =>
      only(body, ['contents', 'systemInstruction', 'tools', 'generationConfig', 'instances', 'model'], ['contents']),
    answer: { totalTokens: counted, totalBillableCharacters: 20 },
  },
  /** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens */
  vertexClaude: {
    check: (body) => only(body, [...messagesNames, 'anthropic_version'], ['messages', 'model', 'anthropic_version']),
    answer: { input_tokens: counted },
  },
} as const satisfies Readonly<Record<string, CountFormat>>;

/** Where a provider counts; the dialects that clients of are served as they are. */
interface Counting {
  readonly path: string;
  readonly format: CountFormat;
  readonly own?: string;
}

interface Row {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly target: JsonObject;
  readonly base: string;
  /** Settings that only headers have. */
  readonly settings?: Readonly<Record<string, string>>;
  /** None: the gateway estimates. The first is asked for clients of other dialects. */
  readonly counts: readonly Counting[];
}

const key = { api_key: 'key-of-the-test' };

const messagesAt = (path: string): Counting => ({ path, format: formats['messages-count'], own: 'messages-count' });
const responsesAt = (path: string): Counting => ({ path, format: formats['responses-count'], own: 'responses-count' });

const vertex = { cloudb_project_id: 'acme', cloudb_region: 'europe-west4' };
const vertexModels = '/v1/projects/acme/locations/europe-west4/publishers';
const aws = { cloudc_access_key_id: 'AKIATEST', cloudc_secret_access_key: 'secret-of-the-test' };
const claude = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const foundry = { 'x-gw-clouda-foundry-url': 'https://acme.services.ai.azure.com' };

/** Where a row with plain paths counts. */
const countsOf = (provider: Provider): readonly Counting[] =>
  Object.entries(provider.speaks).flatMap(([dialect, endpoint]) => {
    if (typeof endpoint !== 'string') return [];
    const path = `${dialectBasePath(provider, dialect, '/v1')}${endpoint}`;
    if (dialect === 'messages-count') return [messagesAt(path)];
    return dialect === 'responses-count' ? [responsesAt(path)] : [];
  });

/** The providers that count elsewhere than their rows say in plain paths, and those whose targets need more than a key. */
const special: Readonly<Record<string, readonly Partial<Row>[]>> = {
  'azure-ai': [
    { name: 'azure-ai, a resource', settings: foundry },
    {
      ...{ name: 'azure-ai, Claude', settings: foundry, model: 'claude-sonnet-4-5', base: '' },
      counts: [messagesAt('/anthropic/v1/messages/count_tokens')],
    },
  ],
  'azure-openai': [{ target: { resource_name: 'acme' }, base: '/openai' }],
  bedrock: [
    { name: 'bedrock, Nova', target: aws, model: 'amazon.nova-lite-v1:0', base: '' },
    ...['', 'eu.', 'global.', 'arn:aws:bedrock:eu-west-1:1234:inference-profile/eu.'].map((prefix) => ({
      ...{ name: `bedrock, ${prefix}Claude`, target: aws, model: prefix + claude, base: '' },
      counts: [
        {
          path: `/model/${encodeURIComponent(claude)}/count-tokens`,
          format: formats['converse-count'],
          own: 'converse-count',
        },
      ],
    })),
  ],
  google: [
    {
      base: '/v1beta',
      counts: [{ path: '/v1beta/models/a-model:countTokens', format: formats['gemini-count'], own: 'gemini-count' }],
    },
  ],
  'vertex-ai': [
    {
      ...{ name: 'vertex-ai, Gemini', target: vertex, base: '', model: 'gemini-a' },
      counts: [
        {
          path: `${vertexModels}/google/models/gemini-a:countTokens`,
          format: formats.vertexGemini,
          own: 'gemini-count',
        },
      ],
    },
    {
      ...{ name: 'vertex-ai, Claude', target: vertex, base: '', model: 'claude-a' },
      counts: [{ path: `${vertexModels}/anthropic/models/count-tokens:rawPredict`, format: formats.vertexClaude }],
    },
    { name: 'vertex-ai, Llama', target: vertex, base: '', model: 'meta/llama-a' },
  ],
};

const conversing = ['chat', 'messages', 'responses', 'gemini', 'converse', 'cohere'];

/** The model that requests name; targets with another one say it. */
const askedModel = 'a-model';

const toRows = (provider: Provider): readonly Row[] => {
  const { id, inProcess } = provider;
  return (special[id] ?? [{ counts: countsOf(provider) }]).map((more) => {
    const { name = id, model = askedModel, target = {}, base = '/v1', counts = [], settings } = more;
    const row = {
      name,
      provider: id,
      model,
      target: inProcess === undefined ? { ...key, ...target } : {},
      base,
      counts,
    };
    return settings === undefined ? row : { ...row, settings };
  });
};

const rows = builtinProviders.filter(({ speaks }) => conversing.some((id) => speaks[id] !== undefined)).flatMap(toRows);

interface Counted {
  readonly tokens: number | undefined;
  readonly isEstimated: boolean;
  readonly dropped: string | null;
}

type Ask = (row: Row, more?: JsonObject) => Promise<Counted>;

const headersOf = ({ provider, target, base, model, settings }: Row, more: JsonObject = {}): Record<string, string> => {
  const host = `${upstream.origin}${base}`;
  if (settings !== undefined)
    return { ...settings, 'x-gw-provider': provider, 'x-gw-custom-host': host, authorization: `Bearer ${key.api_key}` };
  const named = model === askedModel ? {} : { override_params: { model } };
  const placed = provider === 'echo' ? {} : { custom_host: host };
  return { 'x-gw-config': JSON.stringify({ provider, ...target, ...placed, ...named, ...more }) };
};

const modelOf = ({ model, settings }: Row): string => (settings === undefined ? askedModel : model);

const toCounted = (tokens: number | undefined, read: (name: string) => string | null | undefined): Counted => ({
  tokens,
  isEstimated: read('x-gw-estimated') === 'true',
  dropped: read('x-gw-dropped-params') ?? null,
});

/** The official libraries, unmodified. */
const clients: Readonly<Record<string, Ask>> = {
  'messages-count': async (row, more) => {
    const client = new Anthropic({
      ...{ baseURL: gateway.origin, apiKey: 'not-sent', maxRetries: 0, defaultHeaders: headersOf(row, more) },
    });
    const { data, response } = await client.messages
      .countTokens({ model: modelOf(row), system: instructions, messages: [{ role: 'user', content: words }] })
      .withResponse();
    return toCounted(data.input_tokens, (name) => response.headers.get(name));
  },
  'responses-count': async (row, more) => {
    const client = new OpenAI({
      ...{ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0, defaultHeaders: headersOf(row, more) },
    });
    const { data, response } = await client.responses.inputTokens
      .count({ model: modelOf(row), instructions, input: words })
      .withResponse();
    expect(data.object).toBe('response.input_tokens');
    return toCounted(data.input_tokens, (name) => response.headers.get(name));
  },
  'gemini-count': async (row, more) => {
    const { models } = new GoogleGenAI({
      apiKey: 'not-sent',
      httpOptions: { baseUrl: gateway.origin, headers: headersOf(row, more) },
    });
    // The library has no way to say a system instruction to the Gemini API.
    const { totalTokens, sdkHttpResponse } = await models.countTokens({ model: modelOf(row), contents: words });
    const { headers = {} } = sdkHttpResponse ?? {};
    return toCounted(totalTokens, (name) => headers[name]);
  },
  'converse-count': async (row, more) => {
    let headers: Record<string, string> = {};
    const client = new BedrockRuntimeClient({
      ...{ endpoint: gateway.origin, region: 'us-east-1', token: { token: 'not-sent' }, maxAttempts: 1 },
      ...{ authSchemePreference: ['httpBearerAuth'], requestHandler: new NodeHttpHandler() },
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        const request = args.request as { readonly headers: Record<string, string> };
        Object.assign(request.headers, headersOf(row, more));
        const result = await next(args);
        headers = (result.response as { readonly headers: Record<string, string> }).headers;
        return result;
      },
      { step: 'build' },
    );
    const { inputTokens } = await client.send(
      new CountTokensCommand({
        modelId: modelOf(row),
        input: {
          converse: { system: [{ text: instructions }], messages: [{ role: 'user', content: [{ text: words }] }] },
        },
      }),
    );
    return toCounted(inputTokens, (name) => headers[name]);
  },
};

/** Answers as the vendor, where it counts; anything else that is asked is a 404. */
const serve = ({ counts }: Row): readonly ReceivedRequest[] => {
  const requests: ReceivedRequest[] = [];
  upstream.handle((call) => {
    requests.push(call.request);
    const found = counts.find(({ path }) => path === call.request.path);
    if (found === undefined)
      return call.json({ error: { message: `nothing at ${call.request.path}` } }, { status: 404 });
    try {
      found.format.check(call.request.json() as JsonObject);
      return call.json(found.format.answer);
    } catch (error) {
      return call.json({ error: { message: String(error) } }, { status: 400 });
    }
  });
  return requests;
};

describe.each(Object.entries(clients))('a client of %s', (dialect, ask) => {
  it.each(rows.map((row) => [row.name, row] as const))('counts at %s', async (_, row) => {
    const requests = serve(row);
    const { tokens, isEstimated, dropped } = await ask(row);
    const { counts } = row;
    const asked = counts.find(({ own }) => own === dialect) ?? counts[0];
    expect(requests.map(({ path }) => path)).toEqual(asked === undefined ? [] : [asked.path]);
    expect(isEstimated).toBe(asked === undefined);
    expect(dropped).toBeNull();
    if (asked !== undefined) expect(tokens).toBe(counted);
    else {
      expect(tokens).toBeGreaterThan(3);
      expect(tokens).toBeLessThan(20);
    }
    const sent = requests[0]?.text();
    if (sent !== undefined) expect(sent).toContain(words);
    if (sent !== undefined && dialect !== 'gemini-count') expect(sent).toContain(instructions);
  });
});

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const rowOf = (name: string): Row => rows.find((row) => row.name === name) ?? expect.unreachable(name);

const [anthropic, google, groq, openai] = ['anthropic', 'google', 'groq', 'openai'].map(rowOf) as [Row, Row, Row, Row];

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };

/** A request for each client, with its path. */
const asked: Readonly<Record<string, { readonly path: string; readonly body: JsonObject }>> = {
  'messages-count': {
    path: '/v1/messages/count_tokens',
    body: { model: askedModel, system: instructions, messages: [{ role: 'user', content: words }] },
  },
  'responses-count': {
    path: '/v1/responses/input_tokens',
    body: { model: askedModel, instructions, input: words },
  },
  'gemini-count': {
    path: `/v1beta/models/${askedModel}:countTokens`,
    body: {
      generateContentRequest: {
        model: `models/${askedModel}`,
        systemInstruction: { parts: [{ text: instructions }] },
        contents: [{ role: 'user', parts: [{ text: words }] }],
      },
    },
  },
  'converse-count': {
    path: `/model/${askedModel}/count-tokens`,
    body: {
      input: {
        converse: { system: [{ text: instructions }], messages: [{ role: 'user', content: [{ text: words }] }] },
      },
    },
  },
};

describe.each(Object.entries(asked))('a count in the form of %s', (dialect, { path, body }) => {
  it.each(['anthropic', 'google', 'openai'])('brings the instructions to %s', async (name) => {
    const row = rowOf(name);
    const requests = serve(row);
    expect((await post(path, body, headersOf(row))).status).toBe(200);
    expect(requests[0]?.text()).toContain(instructions);
    expect(requests[0]?.text()).toContain(words);
  });

  it("is the provider's error where it fails, and no estimate", async () => {
    upstream.handle((call) =>
      call.json({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }, { status: 429 }),
    );
    const answer = await post(path, body, headersOf(anthropic));
    expect([answer.status, answer.headers.get('x-gw-estimated')]).toEqual([429, null]);
    expect(await answer.text()).toContain('Slow down.');
  });

  it('is a 502 where the answer has no count', async () => {
    upstream.handle((call) => call.json({ input_tokens: 'many', totalTokens: -1 }));
    const row = dialect === 'gemini-count' ? anthropic : google;
    expect((await post(path, body, headersOf(row))).status).toBe(502);
  });

  it('falls back from a provider that fails to an estimate', async () => {
    let count = 0;
    upstream.handle((call) => {
      count += 1;
      call.json({ error: { message: 'Overloaded' } }, { status: 503 });
    });
    const targets = [anthropic, groq].map((row) => JSON.parse(headersOf(row)['x-gw-config'] ?? ''));
    const config = JSON.stringify({ strategy: { mode: 'fallback' }, targets });
    const answer = await post(path, body, { 'x-gw-config': config });
    expect([answer.status, answer.headers.get('x-gw-estimated'), count]).toEqual([200, 'true', 1]);
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
    expect(answer.headers.get('x-gw-provider')).toBe('groq');
  });

  it.each(['anthropic', 'groq'])('is judged by the checks of requests at %s', async (name) => {
    const row = rowOf(name);
    const requests = serve(row);
    const denying = (word: string) => ({
      input_guardrails: [{ 'default.contains': { words: [word], operator: 'none' }, deny: true }],
    });
    expect((await post(path, body, headersOf(row, denying('tokens')))).status).toBe(446);
    expect(requests).toEqual([]);
    const output = { output_guardrails: [{ 'default.contains': { words: ['x'], operator: 'none' }, deny: true }] };
    expect((await post(path, body, headersOf(row, { ...denying('horse'), ...output }))).status).toBe(200);
  });

  it('is changed by them, where it is', async () => {
    const requests = serve(anthropic);
    const redacting = { input_guardrails: [{ 'default.regexReplace': { rule: 'tokens', redactText: '[WORD]' } }] };
    expect((await post(path, body, headersOf(anthropic, redacting))).status).toBe(200);
    expect(requests[0]?.text()).toContain('How many [WORD] is this?');
  });

  it('is answered from a cache that is asked for, and estimated anew', async () => {
    const cached = { cache: { mode: 'simple' } };
    const requests = serve(anthropic);
    const statuses = [];
    for (const row of [anthropic, anthropic, groq, groq]) {
      const { headers } = await post(path, { ...body }, headersOf(row, cached));
      statuses.push(headers.get('x-gw-cache-status'));
    }
    expect(statuses).toEqual(['MISS', 'HIT', 'DISABLED', 'DISABLED']);
    expect(requests).toHaveLength(1);
  });

  it.each(['anthropic', 'google', 'groq'])(
    'has the model and only those parameters of a config that count, at %s',
    async (name) => {
      const row = { ...rowOf(name), model: askedModel };
      const paths = row.counts.map((each) => ({ ...each, path: each.path.replace(askedModel, 'another') }));
      const format = { check: () => {}, answer: { input_tokens: counted, totalTokens: counted } };
      const requests = serve({ ...row, counts: paths.map((each) => ({ ...each, format })) });
      const override_params = { model: 'another', temperature: 0.5, max_tokens: 9, top_k: 4 };
      expect((await post(path, body, headersOf(row, { override_params }))).status).toBe(200);
      if (row.counts.length === 0) return;
      const [sent] = requests;
      expect(JSON.stringify([sent?.path, sent?.json()])).toContain('another');
      expect(JSON.stringify([sent?.path, sent?.json()])).not.toMatch(/a-model|temperature|max_?[tT]okens|top_?[kK]/);
    },
  );

  it.each(['anthropic', 'google', 'groq'])('that is malformed is a 400 at %s', async (name) => {
    const row = rowOf(name);
    const requests = serve({ ...row, counts: [] });
    for (const wrong of ['{', '[]', '""', 'null', '']) {
      const answer = await post(path, wrong, headersOf(row));
      // A provider says itself what is wrong with a body in its own dialect.
      if (requests.length === 0) expect(answer.status).toBe(400);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('costs nothing', async () => {
    for (const row of [anthropic, groq]) {
      serve(row);
      const answer = await post(path, body, { ...headersOf(row), 'x-gw-usage': 'true' });
      const said = JSON.parse(answer.headers.get('x-gw-usage') ?? '');
      expect(said).toEqual({ kind: 'none', model: askedModel, input: { total: 0 }, output: { total: 0 } });
      expect(answer.headers.get('x-gw-cost')).toBeNull();
    }
  });
});

describe('a count', () => {
  it.each([
    ['messages-count', anthropic, { model: askedModel, messages: [{ role: 'user', content: words }], new_member: 1.0 }],
    ['gemini-count', google, { contents: [{ parts: [{ text: words, newMember: true }] }] }],
    ['responses-count', openai, { model: askedModel, input: words, new_member: [1e3] }],
  ] as const)('in the form of %s is byte-exact where the provider has that', async (dialect, row, body) => {
    const text = JSON.stringify(body, null, 3).replace('true', 'true ');
    const requests = serve({
      ...row,
      counts: row.counts.map((each) => ({ ...each, format: { ...each.format, check: () => {} } })),
    });
    const answer = await post(asked[dialect]?.path ?? '', text, headersOf(row));
    expect(requests[0]?.text()).toBe(text);
    expect(await answer.json()).toEqual(row.counts[0]?.format.answer);
  });

  it("of Bedrock names the body of another operation, which is Claude's elsewhere", async () => {
    const invoked = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 9,
      messages: [{ role: 'user', content: words }],
    };
    const toBody = (body: object) => ({
      input: { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString('base64') } },
    });
    const path = `/model/${askedModel}/count-tokens`;
    const claudes = serve(anthropic);
    expect(await (await post(path, toBody(invoked), headersOf(anthropic))).json()).toEqual({ inputTokens: counted });
    const content = [{ type: 'text', text: words }];
    expect(claudes[0]?.json()).toEqual({ model: askedModel, messages: [{ role: 'user', content }] });
    const bedrock = rowOf('bedrock, Claude');
    const own = serve(bedrock);
    expect((await post(path, toBody({ inputText: words }), headersOf(bedrock))).status).toBe(200);
    expect(own[0]?.json()).toEqual(toBody({ inputText: words }));
    expect((await post(path, toBody({ inputText: words }), headersOf(groq))).status).toBe(400);
    const denying = { input_guardrails: [{ 'default.contains': { words: ['x'], operator: 'none' }, deny: true }] };
    expect((await post(path, toBody(invoked), headersOf(bedrock, denying))).status).toBe(446);
  });

  it.each([
    ['no messages', 'messages-count', { model: askedModel }, 'messages'],
    ['a number for a message', 'messages-count', { model: askedModel, messages: [1] }, 'messages[0]'],
    ['no request', 'converse-count', {}, 'input'],
    ['two requests', 'converse-count', { input: { converse: {}, invokeModel: {} } }, 'input'],
    [
      'a request beside contents',
      'gemini-count',
      { contents: [], generateContentRequest: {} },
      'generateContentRequest',
    ],
    ['no object for a request', 'gemini-count', { generateContentRequest: 'x' }, 'generateContentRequest'],
    ['a number as its input', 'responses-count', { model: askedModel, input: 7 }, 'input'],
  ])('with %s is a 400 in the form of its client', async (_, dialect, body, member) => {
    for (const row of [groq, dialect === 'messages-count' ? openai : anthropic]) {
      const requests = serve(row);
      const answer = await post(asked[dialect]?.path ?? '', body, headersOf(row));
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(member);
      expect(requests).toEqual([]);
    }
  });

  it('does not read the proof of another provider at its own', async () => {
    const thought = { type: 'thinking', thinking: 'Well.', signature: 'gw1.0123456789abcdef.proof' };
    const requests = serve(anthropic);
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [thought, { type: 'text', text: 'Ho' }] },
      { role: 'user', content: words },
    ];
    const { path } = asked['messages-count'] ?? expect.unreachable();
    expect((await post(path, { model: askedModel, messages }, headersOf(anthropic))).status).toBe(200);
    expect(requests[0]?.text()).not.toMatch(/gw1|proof/);
  });

  it('reports what the format of a provider lacks', async () => {
    serve(openai);
    const body = { model: askedModel, messages: [{ role: 'user', content: [image, { type: 'text', text: words }] }] };
    const sound = {
      input: {
        converse: {
          messages: [
            { role: 'user', content: [{ video: { format: 'mp4', source: { bytes: 'AAAA' } } }, { text: words }] },
          ],
        },
      },
    };
    const { path } = asked['messages-count'] ?? expect.unreachable();
    expect((await post(path, body, headersOf(openai))).headers.get('x-gw-dropped-params')).toBeNull();
    const told = await post(asked['converse-count']?.path ?? '', sound, headersOf(openai));
    expect([told.status, told.headers.get('x-gw-dropped-params')]).toEqual([
      200,
      expect.stringContaining('turns[0].parts[0]'),
    ]);
  });
});
