import { request } from 'node:http';
import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { slowName } from '../../support/vendors/storage/fireworks-datasets.ts';
import { startFireworksTuning } from '../../support/vendors/tuning/fireworks-tuning.ts';

const account = { provider: 'fireworks-ai', settings: { fireworks_account_id: 'ours' } };

let world: AccountsWorld;
let vendor: Awaited<ReturnType<typeof startFireworksTuning>>;
beforeAll(async () => {
  [world, vendor] = await Promise.all([accountsWorld({ quota_bytes: 10 }), startFireworksTuning()]);
  for (const slug of ['fire', 'beside']) await world.save({ ...account, slug, origin: vendor.upstream.origin });
});
afterAll(async () => {
  await world.gateway.stop();
  await vendor.upstream.close();
});

const text = '{"messages":[]}\n'.repeat(20_000);
const file = new File([text], 'träin.jsonl');

const send = (
  body: { file: File; purpose: OpenAI.FilePurpose },
  headers: Record<string, string> = {},
  slug = 'fire',
): Promise<OpenAI.FileObject> => world.client(slug).files.create(body, { headers });

/** The text with which a data set was uploaded, in a form or at a signed address. */
const uploaded = async (id: string): Promise<string | undefined> => {
  const { form } = vendor.datasets.get(id) ?? {};
  if (form === undefined) return vendor.findFile(id);
  const headers = { 'content-type': form.contentType };
  const sent = await new Request('http://h', { method: 'POST', headers, body: form.body }).formData();
  return (sent.get('file') as File).text();
};

const sized = { 'x-gw-file-upload-size': String(text.length) };

it.each([
  ['in a form, with the purpose first', { purpose: 'fine-tune', file }, {}, 'form'],
  ['at a signed address, with its size', { purpose: 'fine-tune', file }, sized, 'address'],
  ['at a signed address, with the purpose last', { file, purpose: 'fine-tune' }, {}, 'address'],
  ['if it is not ready immediately', { file: new File([text], slowName), purpose: 'fine-tune' }, {}, 'address'],
] as const)('stores a file as a data set: %s', async (_, body, headers, how) => {
  const { files, fineTuning } = world.client('fire');
  const made = await send(body, headers);
  expect(made).toMatchObject({
    ...{ object: 'file', bytes: text.length, filename: body.file.name, purpose: 'fine-tune', status: 'processed' },
  });
  expect(await uploaded(made.id)).toBe(text);
  expect(vendor.datasets.get(made.id)?.form === undefined ? 'address' : 'form').toBe(how);
  expect(await files.retrieve(made.id)).toMatchObject({ ...made, bytes: 0, created_at: 1789997600 });
  const job = await fineTuning.jobs.create({
    ...{ model: 'llama-v3p1-8b-instruct', training_file: made.id, suffix: 's', method: { type: 'supervised' } },
  });
  expect(job.training_file).toBe(made.id);
});

it('returns the bytes of a file, or a range of them, from a signed address', async () => {
  const { files } = world.client('fire');
  const { id } = await send({ purpose: 'fine-tune', file }, sized);
  expect(await (await files.content(id)).text()).toBe(text);
  const part = await files.content(id, { headers: { range: 'bytes=16-20' } });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    ...[206, `bytes 16-20/${text.length}`, text.slice(16, 21)],
  ]);
});

it('lists files with the newest first, and deletes them', async () => {
  const { files } = world.client('beside');
  const made: string[] = [];
  for (let at = 0; at < 3; at += 1)
    made.unshift((await send({ purpose: 'fine-tune', file: new File([`${at}`], `${at}`) }, {}, 'beside')).id);
  const listed = async (query: OpenAI.FileListParams) => {
    const { data, has_more } = await files.list(query);
    return [data.map(({ id }) => id), has_more];
  };
  expect(await listed({})).toEqual([made, false]);
  expect(await listed({ limit: 2 })).toEqual([made.slice(0, 2), true]);
  expect(await listed({ limit: 2, after: made[1] ?? '' })).toEqual([made.slice(2), false]);
  expect(await listed({ purpose: 'batch' })).toEqual([[], false]);
  for (const query of [{ order: 'asc' }, { after: 'nobody' }] as const)
    await expect(files.list(query)).rejects.toMatchObject({ status: 400 });
  expect(await files.delete(made[0] ?? '')).toMatchObject({ id: made[0], deleted: true });
  expect(vendor.datasets.has(made[0] ?? '')).toBe(false);
  await expect(files.retrieve(made[0] ?? '')).rejects.toMatchObject({ status: 404 });
  expect(await listed({})).toEqual([made.slice(1), false]);
});

it.each([
  [{ purpose: 'batch', file }, {}, 'does not store files with the purpose'],
  [{ purpose: 'fine-tune', file }, { 'x-gw-file-upload-size': '3' }, 'more than 3 bytes'],
  [{ purpose: 'fine-tune', file }, { 'x-gw-file-upload-size': '400000' }, 'instead of 400000'],
  [{ purpose: 'fine-tune', file }, { 'x-gw-file-upload-size': 'x' }, 'not a number'],
] as const)('keeps nothing of a file that is refused: %o', async (body, headers, fact) => {
  const before = [...vendor.datasets.keys()];
  await expect(send(body, headers)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(fact) });
  expect([...vendor.datasets.keys()]).toEqual(before);
});

it('keeps nothing of a file if its client disconnects', async () => {
  const before = vendor.datasets.size;
  const sending = request(`${world.gateway.baseUrl}/files`, {
    method: 'POST',
    headers: {
      ...{ 'x-gw-api-key': adminKey, 'x-gw-virtual-key': 'fire', 'content-length': 60_000_000 },
      'content-type': 'multipart/form-data; boundary=b',
    },
  });
  sending.on('error', () => {});
  sending.write('--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nfine-tune\r\n');
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n');
  sending.write('x'.repeat(2_000_000));
  await expect.poll(() => vendor.datasets.size, { interval: 10 }).toBe(before + 1);
  sending.destroy();
  await expect.poll(() => vendor.datasets.size, { interval: 10 }).toBe(before);
});

it('lets only the workspace that created files use them, in an account that others use too', async () => {
  const { id } = await send({ purpose: 'fine-tune', file });
  const { id: workspace } = await control(world.gateway, 'POST /workspaces', { body: { name: 'Near', slug: 'near' } });
  const { key = '' } = await control(world.gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'k', workspace_id: workspace, scopes: ['completions.write', 'providers.create'] },
  });
  const settings = { ...account.settings, custom_host: vendor.upstream.origin };
  const body = { name: 'fire', slug: 'fire', provider: account.provider, credential: { api_key: 'sk-1' }, settings };
  expect((await callControl(world.gateway, 'POST /providers', { key, body })).status).toBe(200);
  const { files } = world.client('fire', key);
  const before = vendor.upstream.requests.length;
  await expect(files.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(files.delete(id)).rejects.toMatchObject({ status: 404 });
  expect((await files.list()).data).toEqual([]);
  expect(vendor.upstream.requests).toHaveLength(before);
});
