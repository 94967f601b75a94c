import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geminiDriver } from '../../matrix/upstreams/gemini/gemini-driver.ts';
import { messagesDriver } from '../../matrix/upstreams/messages/messages-driver.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts';
import { adminKey, control } from '../../support/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { anthropicAnswer, anthropicError } from '../../support/vendors/anthropic-wire.ts';
import { type OpenaiStore, startOpenaiStore } from './openai-store.ts';

const env = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };

let gateway: GatewayProcess;
let native: OpenaiStore;
let anthropic: TestUpstream;
let gemini: TestUpstream;
/** Of a model whose context window has three messages. */
let long: TestUpstream;
let key: string;
let otherKey: string;

/** A vendor that answers every conversation, with a text that no other answer has. */
const startVendor = (driver: UpstreamDriver): Promise<TestUpstream> => {
  let count = 0;
  return startUpstream((call) => {
    count += 1;
    const text = `${driver.dialect} ${count}`;
    const stream = call.request.path.includes('stream') || call.request.json().stream === true;
    driver.answer(call, { kind: 'answer', text, finish: 'stop', usage: { input: 9, output: 2 } }, stream);
  });
};

const saveProvider = (slug: string, provider: string, host: string, workspace?: string) =>
  control(gateway, 'POST /providers', {
    body: { name: slug, slug, provider, credential: { api_key: `sk-${slug}` }, settings: { custom_host: host } },
    ...(workspace === undefined ? {} : { workspace }),
  });

const keyOf = async (workspace: string): Promise<string> => {
  const made = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write'], workspace_id: workspace },
  });
  return made.key ?? '';
};

const start = (folder: string): Promise<GatewayProcess> =>
  startGateway({ folder, args: ['--store', 'gateway.db'], env });

const clientOf = (provider: string | undefined, apiKey = key): OpenAI =>
  new OpenAI({
    ...{ baseURL: gateway.baseUrl, apiKey, maxRetries: 0 },
    ...(provider === undefined ? {} : { defaultHeaders: { 'x-gw-provider': `@${provider}` } }),
  });

const models: Readonly<Record<string, string>> = {
  native: 'gpt-5',
  claude: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
};

const folder = mkdtempSync(path.join(tmpdir(), 'gw-responses-'));

beforeAll(async () => {
  native = await startOpenaiStore();
  anthropic = await startVendor(messagesDriver);
  gemini = await startVendor(geminiDriver);
  long = await startUpstream((call) => {
    if (call.request.json().messages.length <= 3) call.json(anthropicAnswer({ text: 'Yes.' }));
    else
      call.json(anthropicError('invalid_request_error', 'prompt is too long: 300 tokens > 200 maximum'), {
        status: 400,
      });
  });
  gateway = await start(folder);
  const hosts = [
    ['native', 'openai', `${native.origin}/v1`],
    ['claude', 'anthropic', `${anthropic.origin}/v1`],
    ['gemini', 'google', `${gemini.origin}/v1beta`],
    ['long', 'anthropic', `${long.origin}/v1`],
  ] as const;
  await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
  for (const [slug, provider, host] of hosts) {
    await saveProvider(slug, provider, host);
    await saveProvider(slug, provider, host, 'other');
  }
  key = await keyOf('default');
  otherKey = await keyOf('other');
}, 60_000);

afterAll(async () => {
  await gateway?.stop();
  await Promise.all([native, anthropic, gemini, long].map((upstream) => upstream?.close()));
  rmSync(folder, { recursive: true, force: true });
});

const failure = (promise: PromiseLike<unknown>): Promise<{ status?: number; code?: string; param?: string }> =>
  Promise.resolve(promise).then(
    () => ({}),
    (error) => error,
  );

describe.each(['native', 'claude', 'gemini'])('the official client on the provider %s', (provider) => {
  const model = models[provider] ?? '';

  it('stores, retrieves, continues and deletes', async () => {
    const client = clientOf(provider);
    const first = await client.responses.create({
      ...{ model, input: 'My name is Ann.', store: true, metadata: { topic: 'names' }, instructions: 'Be brief.' },
    });
    expect(first).toMatchObject({ object: 'response', status: 'completed', store: true, metadata: { topic: 'names' } });
    expect(first.id.startsWith('gw-resp-')).toBe(provider !== 'native');
    // By its id alone.
    const found = await clientOf(undefined).responses.retrieve(first.id);
    expect(found).toEqual({ ...first, _request_id: undefined, output_text: found.output_text });
    const { data } = await client.responses.inputItems.list(first.id);
    expect(data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'My name is Ann.' }] },
    ]);

    const second = await client.responses.create({
      ...{ model, input: [{ role: 'user', content: 'Who am I?' }], previous_response_id: first.id, store: true },
    });
    expect(second.previous_response_id).toBe(first.id);
    expect((await client.responses.retrieve(second.id)).previous_response_id).toBe(first.id);

    await clientOf(undefined).responses.delete(first.id);
    expect((await failure(clientOf(undefined).responses.retrieve(first.id))).status).toBe(404);
    expect(await failure(client.responses.create({ model, input: 'More?', previous_response_id: second.id }))).toEqual(
      provider === 'native' ? {} : expect.objectContaining({ status: 400, code: 'previous_response_not_found' }),
    );
  });

  it('finds a stream when it has ended', async () => {
    const client = clientOf(provider);
    const events = await client.responses.create({ model, input: 'Hello?', store: true, stream: true });
    const ids = new Set<string>();
    let text = '';
    let last = {};
    for await (const event of events) {
      if (event.type === 'response.output_text.delta') text += event.delta;
      if ('response' in event) ids.add(event.response.id);
      if (event.type !== 'response.completed') continue;
      last = event.response;
      expect(await clientOf(undefined).responses.retrieve(event.response.id)).toMatchObject({ id: event.response.id });
    }
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    const found = await client.responses.retrieve(id);
    expect(found.output_text).toBe(text);
    expect(found).toMatchObject({ ...last });
  });
});

describe('a conversation over several providers', () => {
  it('is rebuilt for each, and its own provider is sent what the client wrote', async () => {
    const one = await clientOf('native').responses.create({ model: 'gpt-5', input: 'One.', store: true });
    const two = await clientOf('claude').responses.create({
      ...{ model: 'claude-sonnet-4-5', input: 'Two.', previous_response_id: one.id, store: true },
    });
    expect(anthropic.requests.at(-1)?.json().messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: one.output_text }] },
      { role: 'user' },
    ]);
    const three = await clientOf('native').responses.create({
      ...{ model: 'gpt-5', input: 'Three.', previous_response_id: two.id, store: true },
    });
    expect(three.output_text).toBe('Items: 5.');
    expect(three.previous_response_id).toBe(two.id);
    const body = { model: 'gpt-5', input: 'Four.', previous_response_id: three.id, store: true };
    await clientOf('native').responses.create(body);
    expect(native.requests.at(-1)?.json()).toEqual(body);
    // Its provider has lost it.
    native.kept.clear();
    const again = await clientOf('native').responses.create(body);
    expect(again.output_text).toBe('Items: 7.');
    expect(again.previous_response_id).toBe(three.id);
  });

  it('outlasts the gateway', async () => {
    const one = await clientOf('gemini').responses.create({ model: 'gemini-2.5-flash', input: 'One.', store: true });
    gateway.signal('SIGTERM');
    await gateway.exited;
    gateway = await start(folder);
    await clientOf('claude').responses.create({
      ...{ model: 'claude-sonnet-4-5', input: 'Two.', previous_response_id: one.id },
    });
    expect(anthropic.requests.at(-1)?.json().messages).toHaveLength(3);
  });
});

describe('a conversation that is too long for its model', () => {
  const model = 'claude-sonnet-4-5';
  const tooLong = 'prompt is too long: 300 tokens > 200 maximum';

  it('loses its oldest turns where truncation is auto, and is a 400 where it is not', async () => {
    const client = clientOf('long');
    const one = await client.responses.create({ model, input: 'One.', store: true });
    const two = await client.responses.create({ model, input: 'Two.', previous_response_id: one.id, store: true });
    const body = { model, input: 'Three.', previous_response_id: two.id, store: true, instructions: 'Be brief.' };
    const refused = await failure(client.responses.create({ ...body, truncation: 'disabled' }));
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(tooLong) });
    const cut = await client.responses.create({ ...body, truncation: 'auto' });
    expect(cut).toMatchObject({ truncation: 'auto', previous_response_id: two.id, status: 'completed' });
    expect(long.requests.at(-1)?.json()).toMatchObject({
      system: expect.anything(),
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
    });
  });
});

describe('another tenant', () => {
  it('finds, continues and deletes nothing, not in an account that both share either', async () => {
    for (const provider of ['native', 'claude']) {
      const model = models[provider] ?? '';
      const mine = await clientOf(provider).responses.create({ model, input: 'A secret.', store: true });
      const other = clientOf(provider, otherKey);
      const outcomes = await Promise.all([
        failure(other.responses.retrieve(mine.id)),
        failure(other.responses.inputItems.list(mine.id)),
        failure(other.responses.delete(mine.id)),
        failure(other.responses.create({ model, input: 'What?', previous_response_id: mine.id })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
      expect((await clientOf(provider).responses.retrieve(mine.id)).id).toBe(mine.id);
    }
  });
});

describe('a workspace that keeps responses', () => {
  it('keeps those that do not say store, and none that say false', async () => {
    await control(gateway, 'PUT /workspaces/other', { body: { settings: { keep_responses: true } } });
    const client = clientOf('claude', otherKey);
    const model = 'claude-sonnet-4-5';
    const kept = await client.responses.create({ model, input: 'Keep this.' });
    expect((await client.responses.retrieve(kept.id)).id).toBe(kept.id);
    const not = await client.responses.create({ model, input: 'Not this.', store: false });
    expect(not.id.startsWith('gw-resp-')).toBe(false);
    expect(await clientOf('claude').responses.create({ model, input: 'Nor this.' })).toMatchObject({ store: false });
  });
});

describe('a request that is wrong', () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
  it.each([
    ['temperature', { temperature: 2.1 }],
    ['top_p', { top_p: -0.1 }],
    ['metadata', { metadata: pairs(17) }],
    ['metadata', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['metadata', { metadata: { k: 'v'.repeat(513) } }],
    ['truncation', { truncation: 'some' }],
    ['previous_response_id', { previous_response_id: 'gw-resp-none' }],
  ])('is told which member is: %s', async (param, members) => {
    const body = { model: 'gpt-5', input: 'Hello?', store: true, ...members };
    const outcome = await failure(clientOf('native').responses.create(body as never));
    expect([outcome.status, outcome.param]).toEqual([400, param]);
  });

  it('is told of a query that is', async () => {
    const made = await clientOf('claude').responses.create({ model: 'm', input: 'Hi', store: true });
    const include = ['nothing'] as never[];
    expect((await failure(clientOf('claude').responses.retrieve(made.id, { include }))).status).toBe(400);
    const limits = await Promise.all(
      [0, 101].map((limit) => failure(clientOf('claude').responses.inputItems.list(made.id, { limit }))),
    );
    expect(limits.map(({ status, param }) => [status, param])).toEqual([
      [400, 'limit'],
      [400, 'limit'],
    ]);
  });
});
