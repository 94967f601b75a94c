import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI, { APIError, toFile } from 'openai';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { adminKey, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { startFiles } from '../files/support.ts';

interface Batch {
  readonly id: string;
  status: string;
  output_file_id?: string;
}

/** An account with files and batches, as the vendor documents them: https://platform.openai.com/docs/api-reference/batch */
const startAccount = async (
  batches: Batch[] = [{ id: 'batch_foreign', status: 'completed' }],
): Promise<TestUpstream> => {
  const upstream = await startUpstream((call) => {
    const { method, path, body } = call.request;
    const [, resource, id = '', rest] = path.replace(/^\/v1/, '').split(/[/?]/);
    if (method === 'DELETE') return call.json({ id, deleted: true });
    if (resource === 'files' && method === 'POST') return call.json({ id: 'file-1', object: 'file', purpose: 'batch' });
    if (resource === 'files') return call.answer({ body: '{"custom_id":"1"}\n' });
    if (method === 'POST' && id === '') {
      const made = {
        id: `batch_${batches.length}`,
        object: 'batch',
        status: 'validating',
        ...JSON.parse(String(body)),
      };
      batches.unshift(made);
      return call.json(made);
    }
    if (id === '' || id.includes('=')) {
      const query = new URLSearchParams(id);
      const from = batches.findIndex((each) => each.id === query.get('after')) + 1;
      const to = from + Number(query.get('limit') ?? 20);
      return call.json({ object: 'list', data: batches.slice(from, to), has_more: to < batches.length });
    }
    const found = batches.find((each) => each.id === id);
    if (found === undefined) return call.json({ error: { message: 'No such batch' } }, { status: 404 });
    if (rest === 'cancel') found.status = 'cancelling';
    else Object.assign(found, { status: 'completed', output_file_id: 'file-out' });
    return call.json(found);
  });
  onTestFinished(() => upstream.close());
  return upstream;
};

it('forwards batches to their provider, and lets only the workspace that created them reach them', async () => {
  const upstream = await startAccount();
  const gateway = await startFiles();
  onTestFinished(() => gateway.stop());
  await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
  const settings = { custom_host: `${upstream.origin}/v1` };
  for (const workspace of ['default', 'other'])
    await control(gateway, 'POST /virtual-keys', {
      workspace,
      body: { name: 'Shared', slug: 'shared', provider: 'openai', key: 'sk-shared', settings },
    });
  const clientIn = (workspace: string): OpenAI =>
    new OpenAI({
      ...{ apiKey: adminKey, baseURL: gateway.baseUrl, maxRetries: 0 },
      defaultHeaders: { 'x-gw-workspace': workspace, 'x-gw-virtual-key': 'shared' },
    });
  const readStatus = (promise: Promise<unknown>) =>
    promise.then(
      () => 200,
      (error: unknown) => (error instanceof APIError ? error.status : error),
    );
  const [ours, theirs] = [clientIn('default'), clientIn('other')];
  const { id: input_file_id } = await ours.files.create({
    purpose: 'batch',
    file: await toFile(Buffer.from('{}\n'), 'lines.jsonl'),
  });
  const asked = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  expect(await readStatus(theirs.batches.create(asked))).toBe(400);
  const made = await ours.batches.create({ ...asked, metadata: { team: 'search' } });
  expect(made).toMatchObject({ id: 'batch_1', status: 'validating', metadata: { team: 'search' } });
  expect((await ours.batches.list()).data.map(({ id }) => id)).toEqual(['batch_1']);
  expect((await theirs.batches.list()).data).toEqual([]);
  for (const id of ['batch_1', 'batch_foreign']) {
    expect(await readStatus(theirs.batches.retrieve(id))).toBe(404);
    expect(await readStatus(theirs.batches.cancel(id))).toBe(404);
  }
  const ended = await ours.batches.retrieve(made.id);
  expect(ended).toMatchObject({ status: 'completed', output_file_id: 'file-out' });
  expect(await (await ours.files.content('file-out')).text()).toBe('{"custom_id":"1"}\n');
  expect(await readStatus(theirs.files.content('file-out'))).toBe(404);
  expect((await ours.batches.cancel(made.id)).status).toBe('cancelling');
  const options = { gw_options: { 'x-gw-config': 'c' } };
  expect(await readStatus(ours.batches.create({ ...asked, ...options } as typeof asked))).toBe(400);
  expect(await readStatus(ours.batches.create(asked, { headers: { 'x-gw-config': 'c' } }))).toBe(400);
  expect(upstream.requests.every((request) => request.header('authorization') === 'Bearer sk-shared')).toBe(true);
});

it('lists the batches of a workspace behind any number of others, without those that are gone', async () => {
  const batches: Batch[] = [];
  const upstream = await startAccount(batches);
  const gateway = await startFiles();
  onTestFinished(() => gateway.stop());
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /virtual-keys', {
    body: { name: 'Shared', slug: 'shared', provider: 'openai', key: 'sk-shared', settings },
  });
  const client = new OpenAI({
    ...{ apiKey: adminKey, baseURL: gateway.baseUrl, maxRetries: 0 },
    defaultHeaders: { 'x-gw-virtual-key': 'shared' },
  });
  const file = await toFile(Buffer.from('{}\n'), 'lines.jsonl');
  const { id: input_file_id } = await client.files.create({ purpose: 'batch', file });
  const asked = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  const made: string[] = [];
  for (let at = 0; at < 4; at += 1) made.unshift((await client.batches.create(asked)).id);
  batches.splice(1, 1);
  batches.unshift(...Array.from({ length: 2100 }, (_, at) => ({ id: `foreign_${at}`, status: 'completed' })));
  const page = await client.batches.list({ limit: 2 });
  expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[made[0], made[2]], true]);
  const before = upstream.requests.length;
  const rest = await client.batches.list({ limit: 2, after: made[2] ?? '' });
  expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([[made[3]], false]);
  // Batches that have ended are fetched meanwhile.
  const sent = upstream.requests
    .slice(before)
    .map(({ path: at }) => at)
    .filter((at) => at.startsWith('/v1/batches'));
  expect(sent, 'the page of the account behind it, and no batch alone').toEqual([
    `/v1/batches?limit=100&after=${made[2]}`,
  ]);
});

it('deletes the copy of a deleted file at the provider once its batches are over', async () => {
  const upstream = await startAccount();
  const shift = path.join(temporaryFolder({ shift: '0' }), 'shift');
  const root = path.join(import.meta.dirname, '../../..');
  const gateway = await serveStore('gateway.db', {
    command: [process.execPath, '--import', path.join(root, 'test/support/gateways/shifted-clock.mjs'), installedGw],
    env: { GW_TEST_CLOCK_SHIFT: shift, GW_TRUSTED_HOSTS: '127.0.0.1' },
  });
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /virtual-keys', {
    body: { name: 'Main', slug: 'main', provider: 'openai', key: 'sk-main', settings },
  });
  const client = new OpenAI({ apiKey: adminKey, baseURL: gateway.baseUrl, maxRetries: 0 });
  const ours = client.withOptions({ defaultHeaders: { 'x-gw-provider': 'gw' } });
  const file = await toFile(Buffer.from('{}\n'), 'lines.jsonl');
  const { id: input_file_id } = await ours.files.create({ purpose: 'batch', file });
  const asked = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  await client.batches.create(asked, { headers: { 'x-gw-virtual-key': 'main' } });
  await ours.files.delete(input_file_id);
  const deleted = (): readonly string[] =>
    upstream.requests.filter(({ method }) => method === 'DELETE').map(({ path: at }) => at);
  expect(deleted()).toEqual([]);
  await expect
    .poll(
      () => {
        writeFileSync(shift, String(Number(readFileSync(shift, 'utf8')) + 3_600_000));
        return deleted();
      },
      { interval: 500 },
    )
    .toEqual(['/v1/files/file-1']);
});
