import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect in it
  readonly body: any;
  readonly headers: Headers;
}

let gateway: GatewayProcess;
let upstream: TestUpstream;
let key: string;

const send = async (
  path: string,
  json: object,
  {
    method = 'POST',
    by = admin,
    headers = {},
  }: { method?: string; by?: string; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method,
    headers: { 'x-gw-api-key': by, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
};

/** Calls the control plane and requires a 200. */
const make = async (path: string, json: object, method = 'POST') => {
  const { status, body } = await send(path, json, { method });
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
};

const chatString = (content: string): string => JSON.stringify([{ role: 'user', content }]);

const makePrompt = (slug: string, more: object = {}) =>
  make('/prompts', {
    ...{ name: slug, slug, string: chatString('Greet {{who}}.') },
    ...{ parameters: { max_tokens: 9, temperature: 0.5 }, virtual_key: '@main', model: 'of-the-prompt' },
    ...more,
  });

const saveConfig = async (name: string, config: object): Promise<string> =>
  (await make('/configs', { name, config })).data.slug;

/** Sends a chat completion with a config in the header, or with the name of a saved one. */
const chat = (config: object | string, json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send('/chat/completions', json, {
    by: key,
    headers: { 'x-gw-config': typeof config === 'string' ? config : JSON.stringify(config), ...headers },
  });

/** Returns the bodies that the provider received since the last call. */
let seen = 0;
const sent = () => {
  const bodies = upstream.requests.slice(seen).map((request) => request.json());
  seen = upstream.requests.length;
  return bodies;
};

const user = (content: string) => ({ role: 'user' as const, content });
const messages = [user('This is not sent.')];
const fallback = (...targets: readonly object[]) => ({ strategy: { mode: 'fallback' }, targets });

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const body = JSON.parse(call.request.body.toString());
    if (call.request.path.startsWith('/down')) return call.json({ error: { message: 'No.' } }, { status: 503 });
    const text = body.messages?.at(-1)?.content ?? body.prompt;
    if (call.request.path === '/v1/completions')
      return call.json({ id: 'c', object: 'text_completion', choices: [{ index: 0, text, finish_reason: 'stop' }] });
    if (body.stream !== true) return call.json(openaiAnswer({ text: `You said: ${text}` }));
    const stream = call.sse();
    for (const frame of openaiStream({ text: `You said: ${text}` }, { withUsage: false })) stream.send(frame);
    stream.end();
  });
  gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: admin, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), GW_LOG: 'requests' },
  });
  await make('/providers', {
    ...{ name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' } },
    settings: { custom_host: `${upstream.origin}/v1` },
  });
  ({ key } = await make('/api-keys/workspace/service', {
    ...{ name: 'app', scopes: ['completions.write'], workspace_id: 'default' },
  }));
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

it('a version whose provider was deleted can be neither published nor labelled', async () => {
  const saved = { provider: 'openai', credential: { api_key: 'sk-old' } };
  await make('/providers', { name: 'Old', slug: 'old', ...saved });
  await makePrompt('readdressed', { virtual_key: '@old' });
  const content = { string: chatString('Hello.'), parameters: {}, virtual_key: '@main', model: 'm' };
  await make('/prompts/readdressed', content, 'PUT');
  await make('/prompts/readdressed/makeDefault', { version: 2 }, 'PUT');
  await make('/labels', { name: 'stable' });
  expect((await send('/providers/old', {}, { method: 'DELETE' })).status).toBe(200);
  for (const [path, body] of [
    ['/prompts/readdressed/makeDefault', { version: 1 }],
    ['/prompts/readdressed/labels', { label: 'stable', version: 1 }],
  ] as const) {
    const { status, body: answer } = await send(path, body, { method: 'PUT' });
    expect([status, answer.error?.message]).toEqual([400, expect.stringContaining('"old", which is not saved')]);
  }
  await make('/prompts/readdressed/labels', { label: 'stable', version: 2 }, 'PUT');
});

describe('a config with prompt_id', () => {
  it('sends the prompt instead of the messages, from a saved config and from one in the header', async () => {
    await makePrompt('hello');
    const saved = await saveConfig('hello-config', { prompt_id: 'hello' });
    for (const config of [saved, { prompt_id: 'hello' }]) {
      const { status, body, headers } = await chat(config, { messages, variables: { who: 'Ann' }, max_tokens: 7 });
      expect([status, body.choices?.[0].message.content]).toEqual([200, 'You said: Greet Ann.']);
      expect(headers.get('x-gw-provider')).toBe('openai');
      expect(sent()).toEqual([
        { messages: [user('Greet Ann.')], model: 'of-the-prompt', max_tokens: 7, temperature: 0.5 },
      ]);
      expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer sk-main');
    }
    // An absent variable is rendered as empty text.
    expect((await chat(saved, { model: 'of-the-client' })).status).toBe(200);
    expect(sent()).toMatchObject([{ messages: [user('Greet .')], model: 'of-the-client' }]);
  });

  it('works with the official client, whole and as a stream, and logs the label _prompt', async () => {
    await makePrompt('official');
    const client = new OpenAI({
      ...{ baseURL: gateway.baseUrl, apiKey: key, maxRetries: 0 },
      defaultHeaders: { 'x-gw-config': await saveConfig('official-config', { prompt_id: 'official' }) },
    });
    const params = { model: 'any', messages: [], variables: { who: 'the client' } };
    const completion = await client.chat.completions.create(params);
    expect(completion.choices[0]?.message.content).toBe('You said: Greet the client.');
    const texts: string[] = [];
    for await (const chunk of await client.chat.completions.create({ ...params, stream: true }))
      texts.push(chunk.choices[0]?.delta.content ?? '');
    expect(texts.join('')).toBe('You said: Greet the client.');
    await expect
      .poll(() => gateway.records().filter(({ metadata }) => Object(metadata)._prompt === 'official').length)
      .toBe(2);
    sent();
  });

  it('falls back to a plain target, which gets the client\u2019s messages without the variables', async () => {
    await make('/providers', {
      ...{ name: 'Down', slug: 'down', provider: 'openai', credential: { api_key: 'sk-down' } },
      settings: { custom_host: `${upstream.origin}/down` },
    });
    await makePrompt('first', { virtual_key: '@down' });
    const plain = { provider: '@main', override_params: { model: 'plain' } };
    const saved = await saveConfig('first-config', fallback({ prompt_id: 'first' }, plain));
    const { status, body } = await chat(saved, { messages, variables: { who: 'Ann' } });
    expect([status, body.choices?.[0].message.content]).toEqual([200, 'You said: This is not sent.']);
    expect(sent()).toEqual([
      { messages: [user('Greet Ann.')], model: 'of-the-prompt', max_tokens: 9, temperature: 0.5 },
      { messages, model: 'plain' },
    ]);
    expect((await chat(saved, { messages, variables: 'none' })).status).toBe(200);
    expect(sent()).toEqual([{ messages, model: 'plain' }]);
    const lines = () => gateway.records().filter(({ plan }) => String(plan).startsWith(saved));
    await expect.poll(() => lines().length).toBe(2);
    for (const { metadata } of lines()) expect(metadata).not.toHaveProperty('_prompt');
  });

  it('can use another provider than the prompt\u2019s, and the config\u2019s parameters take precedence', async () => {
    await make('/providers', {
      ...{ name: 'Other', slug: 'other', provider: 'openai', credential: { api_key: 'sk-other' } },
      settings: { custom_host: `${upstream.origin}/v1` },
    });
    await makePrompt('moved');
    const config = { prompt_id: 'moved', provider: '@other', override_params: { temperature: 1, model: 'forced' } };
    const answer = await chat(config, { model: 'of-the-client', temperature: 0, variables: { who: 'Ann' } });
    expect(answer.status).toBe(200);
    expect(sent()).toMatchObject([{ messages: [user('Greet Ann.')], model: 'forced', temperature: 1 }]);
    expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer sk-other');
  });

  it('uses the published or labelled version, also after it changes', async () => {
    await makePrompt('living');
    await make('/labels', { name: 'live' });
    await make('/prompts/living/labels', { label: 'live', version: 1 }, 'PUT');
    await make('/prompts/living', { patch: true, string: chatString('Two: {{who}}') }, 'PUT');
    const published = await saveConfig('published-config', { prompt_id: 'living' });
    const labelled = await saveConfig('labelled-config', { prompt_id: 'living@live' });
    const readContent = async (config: object | string) =>
      (await chat(config, { variables: { who: 'Ann' } })).body.choices?.[0].message.content;
    expect([await readContent(published), await readContent(labelled)]).toEqual([
      'You said: Greet Ann.',
      'You said: Greet Ann.',
    ]);
    expect(await readContent({ prompt_id: 'living@latest' })).toBe('You said: Two: Ann');
    expect(await readContent({ prompt_id: 'living@2' })).toBe('You said: Two: Ann');
    await make('/prompts/living/makeDefault', { version: 2 }, 'PUT');
    expect([await readContent(published), await readContent(labelled)]).toEqual([
      'You said: Two: Ann',
      'You said: Greet Ann.',
    ]);
    await make('/prompts/living/labels', { label: 'live', version: 2 }, 'PUT');
    expect(await readContent(labelled)).toBe('You said: Two: Ann');
    sent();
  });

  it('uses the current version of the partials that it includes', async () => {
    await make('/prompts/partials', { name: 'Rules', slug: 'rules', string: 'Be kind.' });
    await makePrompt('including', { string: chatString('{{who}}: {{>rules}}') });
    const config = await saveConfig('including-config', { prompt_id: 'including' });
    const readContent = async () =>
      (await chat(config, { variables: { who: 'Ann' } })).body.choices?.[0].message.content;
    expect(await readContent()).toBe('You said: Ann: Be kind.');
    await make('/prompts/partials/rules', { string: 'Be brief.' }, 'PUT');
    await make('/prompts/partials/rules/makeDefault', { version: 2 }, 'PUT');
    expect(await readContent()).toBe('You said: Ann: Be brief.');
    sent();
  });

  it('applies its guardrails to the rendered text, and caches by the variables', async () => {
    await makePrompt('guarded', { string: chatString('Do not reveal {{secret}}.') });
    const guarded = {
      prompt_id: 'guarded',
      input_guardrails: [{ 'default.contains': { words: ['password'], operator: 'none' }, deny: true }],
    };
    const denied = await chat(guarded, { messages, variables: { secret: 'the password' } });
    expect(denied.status).toBe(446);
    expect((await chat(guarded, { messages: [user('password')], variables: { secret: 'it' } })).status).toBe(200);
    expect(sent()).toHaveLength(1);

    const cached = await saveConfig('cached-config', { prompt_id: 'guarded', cache: { mode: 'simple' } });
    const readStatus = async (secret: string) =>
      (await chat(cached, { variables: { secret } })).headers.get('x-gw-cache-status');
    expect([await readStatus('a'), await readStatus('b'), await readStatus('a')]).toEqual(['MISS', 'MISS', 'HIT']);
    expect(sent()).toHaveLength(2);
  });

  it('explains what a request lacks, and sends nothing', async () => {
    await makePrompt('strict', { string: '[{"role":"user","content":"{{{who}}}"}]', is_raw_template: 1 });
    await makePrompt('tale', { string: 'Tell of {{who}}.' });
    const readReason = async (config: object, json: object, path = '/chat/completions') => {
      const { status, body } = await send(path, json, { by: key, headers: { 'x-gw-config': JSON.stringify(config) } });
      return [status, body.error?.message ?? body];
    };
    const strict = { prompt_id: 'strict' };
    expect(await readReason(strict, { variables: ['Ann'] })).toEqual([400, expect.stringContaining('/variables')]);
    expect(await readReason(strict, { variables: { who: '"' } })).toEqual([400, expect.stringContaining('/variables')]);
    expect(await readReason(strict, { hyperparameters: {} })).toEqual([
      400,
      expect.stringContaining('/hyperparameters'),
    ]);
    expect(await readReason({ prompt_id: 'tale' }, { messages })).toEqual([
      400,
      expect.stringContaining('/v1/completions'),
    ]);
    const embedding = await readReason(strict, { input: 'x', model: 'm' }, '/embeddings');
    expect(embedding).toEqual([400, expect.stringContaining('serves only chat completions')]);
    expect(await readReason(strict, { any: 'thing' }, '/files/1')).toEqual([400, expect.stringContaining('chat')]);
    const params = { model: 'm', max_tokens: 9, messages };
    expect((await readReason(strict, params, '/messages'))[0]).toBe(400);
    expect(sent()).toEqual([]);
    const [status] = await readReason(
      { prompt_id: 'tale' },
      { prompt: 'x', variables: { who: 'Rome' } },
      '/completions',
    );
    expect([status, sent()]).toMatchObject([200, [{ prompt: 'Tell of Rome.' }]]);
  });

  it('is rejected if the prompt does not exist or belongs to another workspace', async () => {
    const config = { prompt_id: 'nobody' };
    const saved = await send('/configs', { name: 'bad', config });
    expect([saved.status, saved.body.error.errors]).toMatchObject([400, [{ pointer: '/config/prompt_id' }]]);
    const answer = await chat(config, { messages });
    expect(answer.status).toBe(400);
    expect(answer.body.error.diagnostics).toMatchObject([{ code: 'unknown-prompt', pointer: '/prompt_id' }]);

    await makePrompt('mine');
    await make('/workspaces', { name: 'Elsewhere', slug: 'elsewhere' });
    const { key: otherKey } = await make('/api-keys/workspace/service', {
      ...{ name: 'theirs', scopes: ['completions.write'], workspace_id: 'elsewhere' },
    });
    const other = await send(
      '/chat/completions',
      { messages },
      { by: otherKey, headers: { 'x-gw-config': '{"prompt_id":"mine"}' } },
    );
    expect(other.status).toBe(400);
    expect(JSON.stringify(other.body)).not.toContain('Greet');
  });

  it('returns 404 if its prompt was deleted, so that a fallback continues', async () => {
    await makePrompt('leaving');
    const alone = await saveConfig('alone-config', { prompt_id: 'leaving' });
    const both = await saveConfig(
      'both-config',
      fallback({ prompt_id: 'leaving' }, { provider: '@main', override_params: { model: 'plain' } }),
    );
    expect((await chat(alone, { messages })).status).toBe(200);
    await make('/prompts/leaving', {}, 'DELETE');
    const gone = await chat(alone, { messages });
    expect([gone.status, gone.body.error.code]).toEqual([404, 'unknown-prompt']);
    sent();
    expect((await chat(both, { messages, variables: {} })).status).toBe(200);
    expect(sent()).toEqual([{ messages, model: 'plain' }]);
  });
});
