import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

/** Pools of keys as an operator writes them: for a target of a file, and for a saved provider. */
const keys = {
  A: 'sk-limited-key-000001',
  B: 'sk-revoked-key-000002',
  C: 'sk-good-key-00000003',
  D: 'sk-other-key-0000004',
};
const env = Object.fromEntries(Object.entries(keys).map(([name, key]) => [`KEY_${name}`, key]));

let gateway: GatewayProcess;
let upstream: TestUpstream;
/** The provider's refusals, by key. Other keys are served. */
let refusals: ReadonlyMap<string, (call: UpstreamCall) => void> = new Map();
let used: string[] = [];

const limited = (call: UpstreamCall): void =>
  call.json(openaiError('Too many requests.', 'requests', 'rate_limit_exceeded'), {
    status: 429,
    headers: { 'retry-after': '600' },
  });
const revoked = (call: UpstreamCall): void =>
  call.json(openaiError(`Incorrect API key: ${keys.B}; not ${keys.A}.`, 'invalid_request_error', 'invalid_api_key'), {
    status: 401,
  });

const isStream = (call: UpstreamCall): boolean => /"stream":\s*true/.test(call.request.body.toString());

const stream = (call: UpstreamCall): void => {
  const sse = call.sse();
  const chunk = (delta: object, finish: string | null): object => ({
    ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o' },
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  sse.frame(chunk({ role: 'assistant', content: 'Yes.' }, null));
  sse.frame(chunk({}, 'stop'));
  sse.done();
};

const serve = (call: UpstreamCall): void => {
  const { path } = call.request;
  if (path.startsWith('/v1/files')) call.json({ id: 'file-1', object: 'file' });
  else if (path.startsWith('/v1/responses')) call.json({ id: 'resp_1', object: 'response', output: [] });
  else if (isStream(call)) stream(call);
  else call.json(openaiAnswer({ text: 'Yes.' }));
};

const answer = (call: UpstreamCall): void => {
  const key = (call.request.header('authorization') ?? '').replace('Bearer ', '');
  used.push(Object.entries(keys).find(([, value]) => value === key)?.[0] ?? key);
  (refusals.get(key) ?? serve)(call);
};

const key = (name: keyof typeof keys, weight?: number): object => ({
  api_key: `\${env:KEY_${name}}`,
  ...(weight === undefined ? {} : { weight }),
});

beforeAll(async () => {
  upstream = await startUpstream(answer);
  const custom_host = `${upstream.origin}/v1`;
  const target = { provider: 'openai', custom_host };
  const pool = [key('A'), key('B'), key('C')];
  const breaker = { failure_threshold: 1, cooldown_interval: 600_000, failure_status_codes: [401, 429] };
  const inGroup = (first: object): object => ({
    strategy: { mode: 'loadbalance' },
    targets: [first, { provider: 'echo', weight: 0.1 }],
  });
  gateway = await startGateway({
    env: { ...env, GW_LOG: 'requests' },
    files: {
      'gateway.json': {
        configs: 'configs',
        metrics: true,
        trusted_hosts: ['127.0.0.1'],
        providers: { saved: { provider: 'openai', keys: pool, settings: { custom_host } } },
      },
      // Each pool has its own first key, or its own kind of pool, so that tests do not share keys that are left out.
      'configs/file.json': { ...target, keys: pool },
      'configs/saved.json': { provider: '@saved' },
      'configs/bad.json': { ...target, keys: [key('B'), key('A')] },
      'configs/several.json': { ...target, keys: [key('D'), key('C')], accounts: 'several' },
      'configs/forwarding.json': { ...target, keys: [key('D'), key('C')], forward_headers: ['authorization'] },
      'configs/circuit.json': inGroup({ ...target, keys: [key('C', 1), key('A', 9)], cb_config: breaker }),
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  used = [];
});

const messages = [{ role: 'user' as const, content: 'Is it so?' }];

const openai = (config: string): OpenAI =>
  new OpenAI({
    baseURL: gateway.baseUrl,
    apiKey: 'none',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': config, 'x-gw-usage': 'true' },
  });
const anthropic = (config: string): Anthropic =>
  new Anthropic({ baseURL: gateway.origin, apiKey: 'none', maxRetries: 0, defaultHeaders: { 'x-gw-config': config } });

const asked = (config: string) => openai(config).chat.completions.create({ model: 'gpt-4o', messages }).withResponse();

const ways: Readonly<Record<string, (config: string) => Promise<string | null | undefined>>> = {
  "OpenAI's client": async (config) => (await asked(config)).data.choices[0]?.message.content,
  "OpenAI's client, as a stream": async (config) => {
    let text = '';
    const stream = await openai(config).chat.completions.create({ model: 'gpt-4o', messages, stream: true });
    for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
    return text;
  },
  "Anthropic's client": async (config) => {
    const { content } = await anthropic(config).messages.create({ model: 'gpt-4o', max_tokens: 9, messages });
    return content[0]?.type === 'text' ? content[0].text : undefined;
  },
  "Anthropic's client, as a stream": async (config) =>
    anthropic(config).messages.stream({ model: 'gpt-4o', max_tokens: 9, messages }).finalText(),
};

describe('a pool with one key limited, one revoked and one good', () => {
  beforeAll(() => {
    refusals = new Map([
      [keys.A, limited],
      [keys.B, revoked],
    ]);
  });

  describe.each(['file', 'saved'])('from a %s', (config) => {
    it.each(Object.keys(ways))('serves %s as if it had only the good key', async (way) => {
      for (let at = 0; at < 6; at += 1) expect(await ways[way]?.(config)).toBe('Yes.');
      expect(used.filter((name) => name === 'C')).toHaveLength(6);
      // Each of the other keys is tried once, by whichever request draws it first.
      expect(used.filter((name) => name === 'A').length).toBeLessThanOrEqual(1);
      expect(used.filter((name) => name === 'B').length).toBeLessThanOrEqual(1);
    });
  });

  it('reports the tried keys only by their positions, and counts no retry', async () => {
    const { response } = await asked('bad').catch((error: unknown) => {
      if (!(error instanceof OpenAI.APIError)) throw error;
      return { response: { headers: error.headers ?? new Headers(), status: error.status } };
    });
    // Both of its keys are refused, so the client gets the error of the last one.
    expect([401, 429]).toContain(response.status);
    expect(used.toSorted()).toEqual(['A', 'B']);
    expect(response.headers.get('x-gw-retry-attempt-count')).toBe('0');
    expect(response.headers.get('x-gw-attempts')).toMatch(
      /^"config";key=[01];status=4\d\d;ms=[\d.]+, "config";key=[01];status=4\d\d;/,
    );
    const trails = (): readonly unknown[] =>
      gateway.records().flatMap(({ plan, trail }) => (String(plan).startsWith('bad@') ? [trail] : []));
    await expect.poll(trails).toHaveLength(1);
    const attempts = [1, 2].flatMap((attempt) => [
      { kind: 'attempted', attempt, key: expect.any(Number) },
      { kind: 'settled', attempt },
    ]);
    expect(trails()).toMatchObject([attempts]);
  });

  it('still sends a request if all keys are left out, with the key that will be available first', async () => {
    await expect(asked('bad')).rejects.toMatchObject({ status: 401 });
    expect(used).toEqual(['B']);
  });

  it('keeps the circuit of its target closed while another key is available', async () => {
    for (let at = 0; at < 12; at += 1) expect(await ways["OpenAI's client"]?.('circuit')).not.toBe('');
    const lines = (): readonly object[] => gateway.records().filter(({ plan }) => String(plan).startsWith('circuit@'));
    await expect.poll(lines).toHaveLength(12);
    expect(JSON.stringify(lines())).toMatch(/"status":429[^}]*"key":1/);
    expect(JSON.stringify(lines())).not.toContain('circuitChanged');
  });

  it('shows no key to anybody, even if the provider quotes it', async () => {
    const message = await asked('bad').then(
      () => 'served',
      (error: unknown) => String(error),
    );
    expect(message).toMatch(/Incorrect API key: \*+; not \*+/);
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    for (const secret of Object.values(keys))
      for (const text of [message, gateway.printed(), metrics]) expect(text).not.toContain(secret);
  });
});

describe("a provider's error that makes a key unusable", () => {
  const errors: readonly (readonly [string, number, object])[] = [
    ['OpenAI', 429, openaiError('You exceeded your quota.', 'insufficient_quota', 'insufficient_quota')],
    ['DeepSeek', 402, openaiError('Insufficient Balance', 'unknown_error', 'invalid_request_error')],
    [
      'Gemini',
      400,
      { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
    ],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
      },
    ],
    ['DashScope', 400, { code: 'Arrearage', message: 'Access denied.', request_id: 'r1' }],
    ['anybody', 403, openaiError('No.', 'forbidden', 'forbidden')],
  ];

  it.each(errors)('from %s is followed by an attempt with the next key', async (vendor, status, body) => {
    const bad = `sk-of-${vendor}-000000`;
    refusals = new Map([[bad, (call) => call.json(body, { status })]]);
    // A pool in a caller's config.
    const own = [{ api_key: bad, weight: 1e9 }, { api_key: keys.C }];
    const custom_host = `${upstream.origin}/v1`;
    const { data, response } = await asked(JSON.stringify({ provider: 'openai', custom_host, keys: own }));
    expect(data.choices[0]?.message.content).toBe('Yes.');
    expect(response.headers.get('x-gw-retry-attempt-count')).toBe('0');
    expect(used).toEqual([bad, 'C']);
  });

  it('is followed by an attempt with the next key even if it is about one model', async () => {
    const bad = 'sk-without-a-model-0000';
    const body = openaiError('No access to the model.', 'invalid_request_error', 'model_not_found');
    refusals = new Map([[bad, (call) => call.json(body, { status: 403 })]]);
    const custom_host = `${upstream.origin}/v1`;
    const own = { provider: 'openai', custom_host, keys: [{ api_key: bad, weight: 1e9 }, { api_key: keys.C }] };
    await asked(JSON.stringify(own));
    expect(used).toEqual([bad, 'C']);
  });

  it('does not count for a key if the client forwards its own credential in place of the keys', async () => {
    refusals = new Map([['client', revoked]]);
    const pool = openai('forwarding');
    const bad = { headers: { authorization: 'Bearer client' } };
    for (let at = 0; at < 3; at += 1)
      await expect(pool.chat.completions.create({ model: 'gpt-4o', messages }, bad)).rejects.toMatchObject({
        status: 401,
      });
    expect(used).toEqual(['client', 'client', 'client']);
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(metrics).not.toMatch(/key_attempts_total\{plan="forwarding".*refused/);
  });

  it('does not include an error that is caused by the request', async () => {
    const body = openaiError('Your request is wrong.', 'invalid_request_error', 'invalid_value');
    refusals = new Map([[keys.D, (call) => call.json(body, { status: 400 })]]);
    await expect(
      asked(
        JSON.stringify({
          provider: 'openai',
          custom_host: `${upstream.origin}/v1`,
          keys: [{ api_key: keys.D }, { api_key: keys.C, weight: 0.0001 }],
        }),
      ),
    ).rejects.toMatchObject({ status: 400 });
    expect(used).toEqual(['D']);
  });
});

describe('a list of texts that is sent in parts', () => {
  it('is completed with another key, with only the missing texts', async () => {
    const asked: number[] = [];
    const vectors = (call: UpstreamCall): void => {
      const { input } = call.request.json() as { readonly input: readonly string[] };
      asked.push(input.length);
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [Number(text)] }));
      call.json({ object: 'list', model: 'e', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    };
    const spent = 'sk-of-a-part-000000';
    refusals = new Map([
      [spent, (call) => (call.request.body.toString().includes('"2999"') ? limited(call) : vectors(call))],
      [keys.C, vectors],
    ]);
    const pool = [{ api_key: spent, weight: 1e9 }, { api_key: keys.C }];
    const config = { provider: 'openai', custom_host: `${upstream.origin}/v1`, keys: pool };
    const input = Array.from({ length: 3000 }, (_, at) => String(at));
    const client = openai(JSON.stringify(config));
    const { data } = await client.embeddings.create({ model: 'e', input, encoding_format: 'float' });
    expect(data.map(({ embedding }) => embedding[0])).toEqual(input.map(Number));
    expect(used).toEqual([spent, spent, 'C']);
    expect(asked).toEqual([2048, 952]);
  });
});

describe('a pool of several accounts', () => {
  beforeAll(() => {
    refusals = new Map();
  });

  it('uses only its first key for what a provider stores', async () => {
    const client = openai('several');
    const file = new File(['{}'], 'a.jsonl');
    for (let at = 0; at < 8; at += 1) {
      await client.files.create({ file, purpose: 'batch' });
      await client.files.retrieve('file-1');
      await client.responses.create({ model: 'gpt-4o', input: 'Is it so?' });
      await client.chat.completions.create({ model: 'gpt-4o', messages, store: true });
      await client.chat.completions.create({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
      });
      await client.chat.completions.create({ model: 'ft:gpt-4o:acme::1', messages });
    }
    expect(new Set(used)).toEqual(new Set(['D']));
  });

  it('spreads all other requests over its keys', async () => {
    for (let at = 0; at < 40; at += 1) await asked('several');
    expect(new Set(used)).toEqual(new Set(['C', 'D']));
  });
});
