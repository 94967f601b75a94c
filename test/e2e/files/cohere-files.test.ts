import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callControl, control } from '../../support/gateways/stored-gateway.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { type CohereVendor, startCohereBatches } from '../../support/vendors/batches/cohere-batches.ts';

let world: AccountsWorld;
let vendor: CohereVendor;
beforeAll(async () => {
  [world, vendor] = await Promise.all([accountsWorld({ quota_bytes: 10 }), startCohereBatches()]);
  await world.save({ slug: 'cohere', provider: 'cohere', origin: vendor.upstream.origin });
});
afterAll(async () => {
  await world.gateway.stop();
  await vendor.upstream.close();
});

const chats = '/v1/chat/completions';
const bodies: Readonly<Record<string, object>> = {
  [chats]: { messages: [{ role: 'user', content: 'Hello' }] },
  '/v1/embeddings': { input: 'Hello' },
};

const line = (id: string, url: string, more: object = {}): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url, body: { ...bodies[url], ...more } })}\n`;

const send = (text: string, headers: Record<string, string> = {}, purpose: OpenAI.FilePurpose = 'batch') =>
  world.client('cohere').files.create({ purpose, file: new File([text], 'meine lines.jsonl') }, { headers });

const make = (input_file_id: string, endpoint: string, model?: string) =>
  world.client('cohere').batches.create({
    ...{ input_file_id, endpoint, completion_window: '24h' },
    ...(model === undefined ? {} : { model }),
  } as OpenAI.BatchCreateParams);

const until = (status: string, retrieve: () => Promise<{ status: string }>) =>
  expect.poll(async () => (await retrieve()).status, { interval: 20 }).toBe(status);

it.each([
  [chats, 'command-a-03-2025', 'batch-chat-v2-input'],
  ['/v1/embeddings', 'embed-v4.0', 'batch-embed-v2-input'],
])('turns lines for %s into a data set that a batch can use', async (endpoint, model, type) => {
  const headers = { 'x-gw-provider-model': model, 'x-gw-provider-batch-endpoint': endpoint };
  const file = await send(line('a', endpoint) + line('b', endpoint), headers);
  expect(file).toMatchObject({ object: 'file', filename: 'meine_lines.jsonl', purpose: 'batch', status: 'uploaded' });
  const sent = vendor.upstream.requests.findLast(({ method }) => method === 'POST');
  expect(new URL(sent?.path ?? '', 'http://h').searchParams.get('type')).toBe(type);
  await until('processed', () => world.client('cohere').files.retrieve(file.id));
  expect(await world.client('cohere').files.retrieve(file.id)).toMatchObject({
    ...{ id: file.id, filename: file.filename, bytes: 200, created_at: 1789997600 },
  });

  const other = endpoint === chats ? '/v1/embeddings' : chats;
  for (const [at, named, fact] of [
    [endpoint, undefined, '"model" is missing'],
    [other, model, `are for ${endpoint}`],
  ] as const)
    await expect(make(file.id, at, named)).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining(fact) },
    });
  const { id, input_file_id: input } = await make(file.id, endpoint, model);
  expect(input).toBe(file.id);
  vendor.finish();
  const { batches, files } = world.client('cohere');
  await until('completed', () => batches.retrieve(id));
  const { output_file_id: output } = await batches.retrieve(id);
  const results = await (await files.content(output ?? '', { headers: { 'x-gw-provider': 'gw' } })).text();
  expect(
    results
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each).custom_id)
      .sort(),
  ).toEqual(['a', 'b']);
  expect(vendor.datasets()).toContain(file.id);
});

it('turns texts into a data set for embed jobs without changes, and creates no batch from it', async () => {
  const file = await send('{"text":"one"}\n');
  const sent = vendor.upstream.requests.findLast(({ method }) => method === 'POST');
  expect(sent?.path).toContain('type=embed-input');
  await until('processed', () => world.client('cohere').files.retrieve(file.id));
  await expect(make(file.id, chats, 'command-a-03-2025')).rejects.toMatchObject({
    ...{ status: 400, message: expect.stringContaining('was not written for a model') },
  });
});

it('creates nothing from a request that is refused', async () => {
  const before = vendor.datasets();
  const headers = { 'x-gw-provider-model': 'command-a-03-2025' };
  for (const [text, fact] of [
    [line('a', chats) + line('a', chats), 'Line 2'],
    [line('a', chats, { stop: ['x'] }), 'does not support'],
  ] as const)
    await expect(send(text, headers)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(fact) });
  await expect(send('x', {}, 'fine-tune')).rejects.toMatchObject({ status: 400 });
  await expect(make('gw-file-1', chats, 'm')).rejects.toMatchObject({ status: 400 });
  expect(vendor.datasets()).toEqual(before);
});

it('lists and deletes files only in the workspace that created them', async () => {
  const { files } = world.client('cohere');
  const { id } = await send('{"text":"one"}\n');
  expect((await files.list()).data[0]).toMatchObject({ id, purpose: 'batch' });
  const { id: workspace } = await control(world.gateway, 'POST /workspaces', { body: { name: 'Near', slug: 'near' } });
  const { key = '' } = await control(world.gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'k', workspace_id: workspace, scopes: ['completions.write', 'providers.create'] },
  });
  const settings = { custom_host: vendor.upstream.origin };
  const body = { name: 'cohere', slug: 'cohere', provider: 'cohere', credential: { api_key: 'sk-1' }, settings };
  expect((await callControl(world.gateway, 'POST /providers', { key, body })).status).toBe(200);
  const near = world.client('cohere', key);
  await expect(near.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(near.files.delete(id)).rejects.toMatchObject({ status: 404 });
  expect((await near.files.list()).data).toEqual([]);
  await expect(
    near.post('/v2/batches', {
      body: { name: 'x', model: 'm', input_dataset_id: id },
      headers: { 'x-gw-virtual-key': null, 'x-gw-provider': '@cohere' },
    }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining(id) });
  expect(await files.delete(id)).toMatchObject({ id, deleted: true });
  expect(vendor.datasets()).not.toContain(id);
  await expect(files.content(id)).rejects.toMatchObject({ status: 501 });
});
