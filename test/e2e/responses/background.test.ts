import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { type SseScript, startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let key: string;
let keyId: string;
/** The streams that the provider has opened. */
let streams: SseScript[] = [];
let gone = 0;

const words = 'One two three four five six seven eight.';
const frames = anthropicStream({ text: words });
const half = Math.floor(frames.length / 2);

/** Sends the second half of an answer and ends it. The upstream sends the first half. */
const finish = (stream: SseScript | undefined): void => {
  for (const frame of frames.slice(half)) stream?.send(frame);
  stream?.end();
};

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    if (call.request.body.includes('fails'))
      return call.json({ type: 'error', error: { type: 'invalid_request_error', message: 'No.' } }, { status: 400 });
    const stream = call.sse();
    streams.push(stream);
    void call.gone.then(() => {
      gone += 1;
    });
    for (const frame of frames.slice(0, half)) stream.send(frame);
    if (call.request.body.includes('quick')) finish(stream);
    return undefined;
  });
  gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /providers', {
    body: { name: 'claude', slug: 'claude', provider: 'anthropic', credential: { api_key: 'sk-a' }, settings },
  });
  await control(gateway, 'POST /providers', {
    body: { name: 'gpt', slug: 'gpt', provider: 'openai', credential: { api_key: 'sk-o' }, settings },
  });
  await control(gateway, 'POST /virtual-keys', {
    body: { name: 'virtual', slug: 'virtual', provider: 'anthropic', key: 'sk-a', settings },
  });
  const made = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write'], workspace_id: 'default' },
  });
  key = made.key ?? '';
  keyId = made.id ?? '';
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const client = (): OpenAI =>
  new OpenAI({
    ...{ baseURL: gateway.baseUrl, apiKey: key, maxRetries: 0 },
    defaultHeaders: { 'x-gw-provider': '@claude' },
  });

const asked = (input: string) => ({ model: 'claude-sonnet-4-5', input, background: true }) as const;

const until = async <Value>(look: () => Promise<Value> | Value, holds: (value: Value) => boolean): Promise<Value> => {
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const begun = (count: number) =>
  until(
    () => streams.length,
    (open) => open === count,
  );

const ended = (id: string) =>
  until(
    () => client().responses.retrieve(id),
    ({ status }) => status !== 'in_progress',
  );

/** Returns how many attempts in the ledger have a usage that the provider reported. */
const reported = (): unknown => {
  using db = new DatabaseSync(path.join(gateway.folder, 'gateway.db'), { readOnly: true });
  return db.prepare("select count(*) as count from ledger where kind = 'reported'").get()?.count;
};

describe('a background response', () => {
  it('is an ordinary request to its provider, without members for the background', async () => {
    const options = { background_options: { completion_window: '2h' } } as const;
    const headers = { 'x-gw-provider': '@gpt' };
    const { id } = await client().responses.create({ ...asked('This fails.'), ...options }, { headers });
    expect((await ended(id)).status).toBe('failed');
    const sent = upstream.requests.at(-1)?.json();
    expect(sent).toMatchObject({ input: 'This fails.', stream: true });
    expect(Object.keys(sent ?? {}).filter((name) => name.startsWith('background'))).toEqual([]);
  });

  it('keeps the numbers in its tools as they were written', async () => {
    const long = '1234567890123456789';
    const tools = [{ type: 'function', name: 'find', strict: false, parameters: { type: 'object', maximum: 'LONG' } }];
    const response = await fetch(`${gateway.baseUrl}/responses`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', authorization: `Bearer ${key}` },
        'x-gw-provider': '@claude',
      },
      body: JSON.stringify({ ...asked('Be quick.'), tools }).replace('"LONG"', long),
    });
    const { id } = (await response.json()) as { readonly id: string };
    expect((await ended(id)).status).toBe('completed');
    expect(upstream.requests.at(-1)?.text()).toContain(`"maximum":${long}`);
  });

  it('is in progress immediately, and completed later', async () => {
    streams = [];
    const response = await client().responses.create({ ...asked('Count.'), metadata: { a: 'b' } });
    expect(response).toMatchObject({ status: 'in_progress', background: true, output: [], metadata: { a: 'b' } });
    await begun(1);
    expect((await client().responses.retrieve(response.id)).status).toBe('in_progress');
    expect(upstream.requests.at(-1)?.json()).toMatchObject({ stream: true });
    finish(streams[0]);
    const found = await ended(response.id);
    expect(found).toMatchObject({ id: response.id, status: 'completed', background: true, metadata: { a: 'b' } });
    expect(found.created_at).toBe(response.created_at);
    expect(found.output_text.trim()).toBe(words);
    // It can be continued, and a completed response stays unchanged when it is cancelled.
    expect(await client().responses.cancel(response.id)).toMatchObject({ status: 'completed' });
  });

  it('has its usage in the ledger when it is available, even if its provider does not end the stream', async () => {
    streams = [];
    gone = 0;
    const before = Number(reported());
    const { id } = await client().responses.create(asked('Count.'));
    await begun(1);
    for (const frame of frames.slice(half)) streams[0]?.send(frame);
    expect(await ended(id)).toMatchObject({ status: 'completed', usage: { output_tokens: expect.any(Number) } });
    expect(reported()).toBe(before + 1);
    await until(
      () => gone,
      (count) => count > 0,
    );
  });

  it('can be streamed, and the stream can be resumed after a number', async () => {
    streams = [];
    const events = await client().responses.create({ ...asked('Count.'), stream: true });
    let id = '';
    let seen = -1;
    for await (const event of events) {
      expect(event.sequence_number).toBe(seen + 1);
      seen = event.sequence_number;
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') break;
    }
    const rest = await client().responses.retrieve(id, { stream: true, starting_after: seen });
    finish(streams[0]);
    const types: string[] = [];
    for await (const event of rest) {
      expect(event.sequence_number).toBe(seen + 1);
      seen = event.sequence_number;
      types.push(event.type);
    }
    expect(types.at(-1)).toBe('response.completed');
    const again: number[] = [];
    for await (const { sequence_number } of await client().responses.retrieve(id, { stream: true }))
      again.push(sequence_number);
    expect(again).toEqual(Array.from({ length: seen + 1 }, (_, at) => at));
  });

  it('is incomplete when it is cancelled, and its call to the provider is aborted', async () => {
    streams = [];
    gone = 0;
    const { id } = await client().responses.create(asked('Count.'));
    await begun(1);
    const cancelled = await client().responses.cancel(id);
    expect(cancelled).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'cancelled' } });
    await until(
      () => gone,
      (count) => count > 0,
    );
    expect(await client().responses.retrieve(id)).toMatchObject({ status: 'incomplete' });
    const last: string[] = [];
    for await (const { type } of await client().responses.retrieve(id, { stream: true })) last.push(type);
    expect(last.at(-1)).toBe('response.incomplete');
  });

  it('fails if its provider refuses the request', async () => {
    const { id } = await client().responses.create(asked('This fails.'));
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { message: 'No.' } });
  });

  it('is created again after its gateway was stopped', async () => {
    streams = [];
    const { id } = await client().responses.create(asked('Count.'));
    await begun(1);
    gateway.signal('SIGTERM');
    await gateway.exited;
    gateway = await startGateway({
      folder: gateway.folder,
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    await begun(2);
    finish(streams[1]);
    expect((await ended(id)).output_text.trim()).toBe(words);
    const numbers: number[] = [];
    for await (const { sequence_number } of await client().responses.retrieve(id, { stream: true }))
      numbers.push(sequence_number);
    expect(numbers).toEqual(Array.from(numbers, (_, at) => at));
  });

  it.each([
    ['in x-gw-provider', { 'x-gw-provider': '@claude' }, ''],
    ['in x-gw-virtual-key', { 'x-gw-virtual-key': 'virtual' }, ''],
    ['with the model', {}, '@claude/'],
  ])('ignores the key that a library sends if a saved credential is named %s', async (_, headers, prefix) => {
    const library = new OpenAI({
      ...{ baseURL: gateway.baseUrl, apiKey: 'any', maxRetries: 0 },
      defaultHeaders: { 'x-gw-api-key': key, ...headers },
    });
    const { input, model, background } = asked('Be quick.');
    const { id } = await library.responses.create({ input, background, model: `${prefix}${model}` });
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(upstream.requests.at(-1)?.header('x-api-key')).toBe('sk-a');
  });

  it('is rejected with the credential of another provider', async () => {
    const headers = { 'x-gw-api-key': key, 'x-gw-provider': 'anthropic', authorization: 'Bearer sk-of-the-caller' };
    const outcome = client().responses.create(asked('Hi'), { headers });
    await expect(outcome).rejects.toMatchObject({ status: 400, code: 'background_not_possible' });
  });

  it('is rejected with a config in the header, or with store: false', async () => {
    const wrong = [
      [{ store: false }, {}, 'store'],
      [{}, { 'x-gw-config': '{"provider":"anthropic"}' }, 'background'],
    ] as const;
    for (const [members, headers, param] of wrong) {
      const outcome = client().responses.create({ ...asked('Hi'), ...members }, { headers });
      await expect(outcome).rejects.toMatchObject({ status: 400, param });
    }
  });

  it('is cancelled if its key is revoked before it starts', async () => {
    const busy = await Promise.all(Array.from({ length: 64 }, () => client().responses.create(asked('Count.'))));
    await until(
      () => streams.length,
      (open) => open >= 64,
    );
    const { id } = await client().responses.create(asked('Count.'));
    const admin = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'other', scopes: ['completions.write'], workspace_id: 'default' },
    });
    await control(gateway, `DELETE /api-keys/${keyId}`);
    key = admin.key ?? '';
    for (const each of busy) await client().responses.cancel(each.id);
    expect(await ended(id)).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'cancelled' } });
  });
});
