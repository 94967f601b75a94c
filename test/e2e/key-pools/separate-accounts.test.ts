import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { type SeparateAccounts, startSeparateAccounts } from '../../support/vendors/separate-accounts.ts';

/** Keys of separate accounts: what an account stores is requested with its key, and new things are created with any key. */
const keys = ['sk-account-one-00001', 'sk-account-two-00002', 'sk-account-three-003'];
const pool = keys.map((api_key) => ({ api_key }));
const times = Array.from({ length: 30 });

let upstream: SeparateAccounts;

beforeAll(async () => {
  upstream = await startSeparateAccounts();
});
afterAll(() => upstream.close());

const file = (): File => new File(['{}\n'], 'a.jsonl');
const ask = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Is it so?' }] };

describe('several accounts of a provider that is saved in a store', () => {
  const store = sharedStore();
  let client: OpenAI;
  /** A client that names the account as jobs do. */
  let jobs: OpenAI;

  beforeAll(async () => {
    const settings = { custom_host: `${upstream.origin}/v1` };
    const saved = { name: 'Main', slug: 'main', provider: 'openai', settings, keys: pool, accounts: 'several' };
    await control(store(), 'POST /providers', { body: saved });
    const clientWith = (headers: Record<string, string>): OpenAI =>
      new OpenAI({
        ...{ apiKey: 'none', baseURL: store().baseUrl, maxRetries: 0 },
        defaultHeaders: { 'x-gw-api-key': adminKey, ...headers },
      });
    client = clientWith({ 'x-gw-provider': '@main' });
    jobs = clientWith({ 'x-gw-virtual-key': 'main' });
  });
  beforeEach(() => {
    upstream.takeUsed();
  });

  /** Checks that repeated use spreads over all keys, and that each thing is requested with the key that created it. */
  const eachTime = async (use: () => Promise<unknown>): Promise<void> => {
    for (const _ of times) await use();
    expect(new Set(upstream.takeUsed())).toEqual(new Set(keys));
    expect(upstream.missed).toEqual([]);
  };

  it('are each used to read and delete their own files', () =>
    eachTime(async () => {
      const { id } = await client.files.create({ file: file(), purpose: 'user_data' });
      expect((await client.files.retrieve(id)).id).toBe(id);
      await (await client.files.content(id)).text();
      await client.files.delete(id);
    }));

  it('are each used with a model if they have the file', () =>
    eachTime(async () => {
      const { id } = await client.files.create({ file: file(), purpose: 'user_data' });
      const content = [{ type: 'file' as const, file: { file_id: id } }];
      const { choices } = await client.chat.completions.create({
        model: 'gpt-4o',
        messages: [{ role: 'user', content }],
      });
      expect(choices[0]?.message.content).toBe('Yes.');
    }));

  it('are each used to create, poll and read batches if they have the files', () =>
    eachTime(async () => {
      const { id: input_file_id } = await client.files.create({ file: file(), purpose: 'batch' });
      const asked = { input_file_id, endpoint: '/v1/chat/completions' as const, completion_window: '24h' as const };
      const { id } = await jobs.batches.create(asked);
      const { output_file_id } = await jobs.batches.retrieve(id);
      await (await client.files.content(output_file_id ?? '')).text();
    }));

  it('are each used to tune models if they have the files', () =>
    eachTime(async () => {
      const { id: training_file } = await client.files.create({ file: file(), purpose: 'fine-tune' });
      const asked = { model: 'gpt-4o', training_file, suffix: 'ours', method: { type: 'supervised' as const } };
      const { id } = await jobs.fineTuning.jobs.create(asked);
      expect((await jobs.fineTuning.jobs.retrieve(id)).id).toBe(id);
    }));

  it('are each used to continue the responses that they store', () =>
    eachTime(async () => {
      const { id } = await client.responses.create({ model: 'gpt-4o', input: 'Is it so?', store: true });
      const next = { model: 'gpt-4o', input: 'And now?', previous_response_id: id, store: true };
      const second = await client.responses.create(next);
      await client.responses.create({ ...next, previous_response_id: second.id });
    }));

  it('cannot be combined in one request, and the error names the two things', async () => {
    const ids = new Map<string, string>();
    while (ids.size < 2) {
      upstream.takeUsed();
      const { id } = await client.files.create({ file: file(), purpose: 'user_data' });
      ids.set(upstream.takeUsed()[0] ?? '', id);
    }
    const content = [...ids.values()].map((file_id) => ({ type: 'file' as const, file: { file_id } }));
    await expect(
      client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
    ).rejects.toMatchObject({ status: 400, code: 'several-accounts' });
    expect(upstream.takeUsed()).toEqual([]);
  });

  it('are still used with weight 0, and an error reports what is lost if a key is removed', async () => {
    const { id } = await client.files.create({ file: file(), purpose: 'user_data' });
    const made = await client.responses.create({ model: 'gpt-4o', input: 'Is it so?', store: true });
    const { keys: shown } = (await control(store(), 'GET /providers/main')) as unknown as { keys: readonly object[] };
    const unused = shown.map((key) => ({ ...key, weight: 0 }));
    const other = { api_key: 'sk-account-four-0004' };
    await control(store(), 'PUT /providers/main', { body: { keys: [...unused, other] } });
    const usedNext = async (): Promise<readonly string[]> => {
      await client.chat.completions.create(ask);
      return upstream.takeUsed();
    };
    await expect.poll(usedNext).toEqual([other.api_key]);
    expect((await client.files.retrieve(id)).id).toBe(id);

    await control(store(), 'PUT /providers/main', { body: { keys: [other] } });
    const outcome = (): Promise<unknown> =>
      client.files.retrieve(id).then(
        () => 'found',
        (error) => `${error.status} ${error.code} ${error.message}`,
      );
    await expect
      .poll(outcome)
      .toMatch(new RegExp(`^400 account-without-key .*"${id}" was created with a key that has been removed`));
    await expect(
      client.responses.create({ model: 'gpt-4o', input: 'And now?', previous_response_id: made.id }),
    ).resolves.toMatchObject({ status: 'completed' });
    expect(upstream.missed).toEqual([]);
  });
});

describe('several accounts in a file, with ids that do not identify the key', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    const env = Object.fromEntries(keys.map((key, at) => [`KEY_${at}`, key]));
    const several = { keys: keys.map((_, at) => ({ api_key: `\${env:KEY_${at}}` })), accounts: 'several' };
    gateway = await startGateway({
      env,
      files: {
        'gateway.json': { configs: 'configs', trusted_hosts: ['127.0.0.1'] },
        'configs/openai.json': { provider: 'openai', custom_host: `${upstream.origin}/v1`, ...several },
        'configs/google.json': { provider: 'google', custom_host: `${upstream.origin}/v1beta`, ...several },
      },
    });
    upstream.takeUsed();
  });
  afterAll(() => gateway.stop());

  const clientOf = (config: string): OpenAI =>
    new OpenAI({ apiKey: 'none', baseURL: gateway.baseUrl, maxRetries: 0, defaultHeaders: { 'x-gw-config': config } });

  it('store and request everything with the first key', async () => {
    const client = clientOf('openai');
    for (const _ of times) {
      const { id } = await client.files.create({ file: file(), purpose: 'batch' });
      await client.files.retrieve(id);
      const asked = { input_file_id: id, endpoint: '/v1/chat/completions' as const, completion_window: '24h' as const };
      await client.batches.retrieve((await client.batches.create(asked)).id);
      const made = await client.responses.create({ model: 'gpt-4o', input: 'Is it so?' });
      await client.responses.create({ model: 'gpt-4o', input: 'And now?', previous_response_id: made.id });
      const cached = await fetch(`${gateway.baseUrl.replace(/\/v1$/, '')}/v1beta/cachedContents`, {
        method: 'POST',
        headers: { 'x-gw-config': 'google', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'models/gemini-3-pro' }),
      });
      const { name } = (await cached.json()) as { readonly name: string };
      const answer = await fetch(`${gateway.baseUrl.replace(/\/v1$/, '')}/v1beta/models/gemini-3-pro:generateContent`, {
        method: 'POST',
        headers: { 'x-gw-config': 'google', 'content-type': 'application/json' },
        body: JSON.stringify({ cachedContent: name, contents: [{ role: 'user', parts: [{ text: 'Is it so?' }] }] }),
      });
      expect(answer.status).toBe(200);
    }
    expect(new Set(upstream.takeUsed())).toEqual(new Set([keys[0]]));
    expect(upstream.missed).toEqual([]);
  });

  it('receive reasoning with a signature from the account that signed it', async () => {
    const client = clientOf('google');
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
    for (const _ of times) {
      const question = { model: 'gemini-3-pro', tools, messages: [{ role: 'user' as const, content: 'How is it?' }] };
      const { choices } = await client.chat.completions.create(question);
      const message = choices[0]?.message;
      const call = message?.tool_calls?.[0];
      expect(JSON.stringify(call)).toContain('gw1.');
      if (message === undefined || call === undefined) return;
      const result = { role: 'tool' as const, tool_call_id: call.id, content: 'Rain.' };
      await client.chat.completions.create({ ...question, messages: [...question.messages, message, result] });
      const [first, second] = upstream.takeUsed();
      expect(second).toBe(first);
      expect(upstream.requests.at(-1)?.text()).toContain('"thoughtSignature"');
      expect(upstream.requests.at(-1)?.text()).not.toContain('skip_thought_signature_validator');
    }
    expect(upstream.missed).toEqual([]);
  });
});
