import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { control, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { batchClient, toLines } from './support/batch-client.ts';
import { answerLine } from './support/batch-processes.ts';

const count = 2000;
const timeout = 60_000;

const shared = sharedStore();

/** A running batch in a workspace of its own. */
const running = async (slug: string) => {
  const gateway = shared();
  const upstream = await startUpstream(async (call) => {
    await setTimeout(50);
    await answerLine(call);
  });
  onTestFinished(() => upstream.close());
  const { id: workspace = '' } = await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
  await control(gateway, 'POST /providers', {
    workspace: slug,
    body: {
      ...{ name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' } },
      settings: { custom_host: `${upstream.origin}/v1` },
    },
  });
  const client = batchClient(() => gateway, { 'x-gw-workspace': slug });
  const file = await client.upload(toLines(count));
  const { id } = await client.create(file);
  await expect.poll(async () => (await client.get(id)).request_counts.completed, { timeout }).toBeGreaterThan(0);
  return { upstream, gateway, workspace, client, file, id };
};

it('does not delete a file while a batch reads it', { timeout }, async () => {
  const { client, file, id } = await running('reading');
  const refused = await client.call(`DELETE /files/${file}`);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringContaining(`the batch ${id} reads it`) },
  });
  expect((await client.call(`GET /batches/${id}/output`, { headers: client.headers })).status).toBe(409);
  await client.cancel(id);
  const batch = await client.over(id, { count });
  expect((await client.call(`DELETE /files/${file}`)).status).toBe(200);
  expect((await client.results(batch.output_file_id)).length).toBe(batch.request_counts.completed);
});

it('ends and removes the batch of a workspace that is deleted', { timeout }, async () => {
  const { upstream, gateway, workspace, client, id } = await running('brief');
  await control(gateway, 'DELETE /providers/main', { workspace: 'brief' });
  await control(gateway, 'DELETE /workspaces/brief');
  await expect
    .poll(async () => (await client.call(`GET /batches/${id}`, { headers: client.headers })).status)
    .toBe(403);
  const sent = async (): Promise<number> => {
    const before = upstream.requests.length;
    await setTimeout(1000);
    return upstream.requests.length - before;
  };
  await expect.poll(sent, { timeout }).toBe(0);
  expect(upstream.requests.length).toBeLessThan(count);
  gateway.signal('SIGTERM');
  await gateway.exited;
  const { db, close } = await openStore({ url: `${gateway.folder}/gateway.db` });
  for (const table of ['batches', 'jobs', 'files'] as const)
    expect(await db.selectFrom(table).selectAll().where('workspace_id', '=', workspace).execute()).toEqual([]);
  expect(await db.selectFrom('batch_parts').selectAll().execute()).toEqual([]);
  await close();
  expect(gateway.printed()).not.toContain('failed, and runs again');
});
