import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import OpenAI, { APIError, toFile } from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readmeExample } from '../../plugins/control/support/readme-example.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { startFiles } from '../files/support.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(anthropicAnswer({ text: 'Hello!' })));
  gateway = await startFiles();
  const settings = { custom_host: `${upstream.origin}/v1` };
  const credential = { api_key: 'sk-saved' };
  await control(gateway, 'POST /providers', {
    body: { name: 'Claude', slug: 'claude', provider: 'anthropic', credential, settings },
  });
  await control(gateway, 'POST /virtual-keys', { body: { name: 'Echo', slug: 'echo-key', provider: 'echo' } });
  await control(gateway, 'POST /configs', {
    body: { name: 'C', slug: 'c', config: { provider: '@claude', override_params: { model: 'claude-x' } } },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const toClient = (headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({
    ...{ apiKey: adminKey, baseURL: gateway.baseUrl, maxRetries: 0 },
    defaultHeaders: { 'x-gw-virtual-key': 'claude', ...headers },
  });

const uploaded = async (lines: readonly object[], endpoint = '/v1/chat/completions') => {
  const text = lines.map(
    (body, at) => `${JSON.stringify({ custom_id: `${at}`, method: 'POST', url: endpoint, body })}\n`,
  );
  const file = await toFile(Buffer.from(text.join('')), 'lines.jsonl');
  const { id } = await toClient().files.create({ purpose: 'batch', file }, { headers: { 'x-gw-provider': 'gw' } });
  return { input_file_id: id, endpoint: endpoint as '/v1/chat/completions', completion_window: 'immediate' as '24h' };
};

const chat = (content: string) => ({ model: 'claude-x', max_tokens: 9, messages: [{ role: 'user', content }] });

const over = async (client: OpenAI, id: string) => {
  await expect
    .poll(async () => (await client.batches.retrieve(id)).status, { interval: 50 })
    .toMatch(/completed|failed|cancelled/);
  return client.batches.retrieve(id);
};

const readStatus = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: unknown) => (error instanceof APIError ? [error.status, error.param ?? null] : error),
  );

it("runs a batch of the official client on another vendor's provider, and returns its results", async () => {
  const client = toClient();
  const asked = await uploaded([chat('Hello?'), chat('Again?'), { model: 'claude-x', messages: 'none' }]);
  const made = await client.batches.create({ ...asked, metadata: { team: 'search' } });
  expect(made).toMatchObject({ object: 'batch', status: 'validating', metadata: { team: 'search' } });
  expect(made.id).toMatch(/^gw-batch-/);
  const batch = await over(client, made.id);
  expect(batch).toMatchObject({
    ...{ status: 'completed', request_counts: { total: 3, completed: 2, failed: 1 } },
    usage: { output_tokens: 18, output_tokens_details: { reasoning_tokens: 0 } },
  });
  const text = await (await client.files.content(batch.output_file_id ?? '')).text();
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).custom_id)).toEqual(['0', '1']);
  expect(JSON.parse(lines[0] ?? '').response).toMatchObject({
    ...{ status_code: 200, request_id: `${made.id}-1` },
    body: { object: 'chat.completion', choices: [{ message: { content: 'Hello!' } }] },
  });
  const errors = await (await client.files.content(batch.error_file_id ?? '')).text();
  expect(JSON.parse(errors)).toMatchObject({ custom_id: '2', response: { status_code: 400 } });
  const output = await fetch(`${gateway.baseUrl}/batches/${made.id}/output`, {
    headers: { 'x-gw-api-key': adminKey, 'x-gw-virtual-key': 'claude' },
  });
  expect([output.status, await output.text()]).toEqual([200, text]);
  expect(await readStatus(client.batches.cancel(made.id))).toEqual([409, null]);
  expect(upstream.requests.at(-1)?.header('x-api-key')).toBe('sk-saved');
});

it('sends lines with the config or the options that the batch names', async () => {
  const client = toClient({ 'x-gw-virtual-key': 'echo-key' });
  const asked = await uploaded([chat('Hello?')]);
  const readContent = async (id: string): Promise<string> => {
    const { output_file_id } = await over(client, id);
    const text = await (await client.files.content(output_file_id ?? '')).text();
    return JSON.parse(text).response.body.choices[0].message.content;
  };
  const echoed = await client.batches.create(asked);
  expect(await readContent(echoed.id)).toContain('Hello?');
  const byHeader = await client.batches.create(asked, { headers: { 'x-gw-config': 'c' } });
  expect(await readContent(byHeader.id)).toBe('Hello!');
  const gw_options = { 'x-gw-provider': '@claude', 'x-gw-metadata': { team: 'search' } };
  const byOption = await client.batches.create({ ...asked, gw_options } as typeof asked);
  expect(await readContent(byOption.id)).toBe('Hello!');
});

it('lists batches in pages that stay right while others are created', async () => {
  const client = toClient({ 'x-gw-virtual-key': 'echo-key' });
  const asked = await uploaded([chat('Hello?')]);
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) made.unshift((await client.batches.create(asked)).id);
  const page = await client.batches.list({ limit: 2 });
  expect(page.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
  const headers = { 'x-gw-api-key': adminKey, 'x-gw-virtual-key': 'echo-key' };
  const list = await fetch(`${gateway.baseUrl}/batches?limit=2`, { headers });
  expect(await list.json()).toMatchObject({ object: 'list', has_more: true, first_id: made[0], last_id: made[1] });
  await client.batches.create(asked);
  const next = await page.getNextPage();
  expect(next.data[0]?.id).toBe(made[2]);
  const none = await toClient().batches.list({ after: 'gw-batch-00000000-0000-7000-8000-000000000000' });
  expect([none.data, none.has_more]).toEqual([[], false]);
  expect(none).not.toHaveProperty('first_id');
});

it.each([
  ['a missing file', { input_file_id: 'gw-file-none' }, 'input_file_id'],
  ['a file id with U+0000', { input_file_id: 'gw-file-\0' }, 'input_file_id'],
  ['an unknown file id', { input_file_id: 'file-1' }, 'input_file_id'],
  ['an unsupported window', { completion_window: '48h' }, 'completion_window'],
  ['an unsupported endpoint', { endpoint: '/v1/images' }, 'endpoint'],
  ['a long value in metadata', { metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
  ['a long name in metadata', { metadata: { ['x'.repeat(65)]: 'a' } }, `metadata.${'x'.repeat(65)}`],
  [
    'too many entries in metadata',
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [at, 'x'])) },
    'metadata',
  ],
  ['numbers in metadata', { metadata: { a: 1 } }, 'metadata.a'],
  ['an unknown config', { gw_options: { 'x-gw-config': 'none' } }, 'gw_options.x-gw-config'],
  ['a config with a key', { gw_options: { 'x-gw-config': '{"api_key":"x"}' } }, 'gw_options.x-gw-config'],
  ['an unknown provider', { gw_options: { 'x-gw-provider': '@none' } }, 'gw_options.x-gw-provider'],
  ['nested labels', { gw_options: { 'x-gw-metadata': { a: {} } } }, 'gw_options.x-gw-metadata'],
  ['an unknown member', { model: 'x' }, 'model'],
] as const)('answers 400 that names the field: %s', async (_, change, param) => {
  const asked = { ...(await uploaded([chat('Hello?')])), ...change } as Awaited<ReturnType<typeof uploaded>>;
  expect(await readStatus(toClient().batches.create(asked))).toEqual([400, param]);
});

it('requires the header, limits pages to 1 to 100, accepts null metadata, and repeats a creation only once', async () => {
  const client = toClient();
  const asked = await uploaded([chat('Hello?')]);
  const headers = { 'x-gw-virtual-key': null } as unknown as Record<string, string>;
  expect(await readStatus(client.batches.create(asked, { headers }))).toEqual([400, 'x-gw-virtual-key']);
  const other = toClient({ 'x-gw-virtual-key': 'nobody' });
  expect(await readStatus(other.batches.create(asked))).toEqual([400, 'x-gw-virtual-key']);
  for (const after of ['gw-batch-\0', 'gw-batch-zzz', 'gw-file-1'])
    expect(await readStatus(client.batches.list({ after })), after).toEqual([400, 'after']);
  const echoing = toClient({ 'x-gw-virtual-key': 'echo-key' });
  expect(await readStatus(echoing.batches.list({ after: 'batch_1' }))).toEqual([404, null]);
  for (const limit of [0, 101]) expect(await readStatus(client.batches.list({ limit }))).toEqual([400, 'limit']);
  expect(await readStatus(client.batches.retrieve('gw-batch-none'))).toEqual([404, null]);
  const repeat = { headers: { 'idempotency-key': 'once' } };
  const [one, two] = [
    await client.batches.create({ ...asked, metadata: null }, repeat),
    await client.batches.create({ ...asked, metadata: null }, repeat),
  ];
  expect(one.id).toBe(two.id);
  expect(one).not.toHaveProperty('metadata');
});

it('does not let another workspace list, read or cancel batches', async () => {
  const { id } = await toClient({ 'x-gw-virtual-key': 'echo-key' }).batches.create(await uploaded([chat('Hello?')]));
  await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
  await control(gateway, 'POST /virtual-keys', {
    ...{ workspace: 'other', body: { name: 'Echo', slug: 'echo-key', provider: 'echo' } },
  });
  const there = toClient({ 'x-gw-workspace': 'other', 'x-gw-virtual-key': 'echo-key' });
  expect((await there.batches.list()).data).toEqual([]);
  expect(await readStatus(there.batches.retrieve(id))).toEqual([404, null]);
  expect(await readStatus(there.batches.cancel(id))).toEqual([404, null]);
});

it('runs the example of the README of batches with the printed output', async () => {
  await control(gateway, 'POST /virtual-keys', { body: { name: 'Main', slug: 'main', provider: 'echo' } });
  const { file, folder, fence } = readmeExample('work/batches');
  symlinkSync(path.join(import.meta.dirname, '../../../node_modules'), path.join(folder, 'node_modules'));
  const env = { ...process.env, GATEWAY_URL: gateway.baseUrl, GATEWAY_KEY: adminKey };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
  expect(stdout).toBe(fence('text'));
});
