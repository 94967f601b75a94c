import { expect, it } from 'vitest';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { StoredJobQueue } from '../../../../plugins/control/kernel/jobs/create-job-queue.ts';
import { createRemoteIds } from '../../../../plugins/control/work/remote-ids/remote-ids.ts';
import { type RemovalParts, removeCopies } from '../../../../plugins/control/work/remove-copies.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { loadCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { nothingSaved } from '../../../../schema/config/saved.ts';
import { hourMs } from '../../../../schema/durations.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { onEachStore } from '../kernel/secrets/each-store.ts';
import { filing, inPieces } from './files/support/filing.ts';

const providers = {
  oa: { provider: 'openai' },
  'oa-two': { provider: 'openai' },
  aws: { provider: 'bedrock' },
  works: { provider: 'fireworks-ai', settings: { fireworks_account_id: 'acme' } },
};
const object = 's3://jobs-bucket/gatewright/files/0f1e/file.jsonl';

onEachStore((newStore) => {
  const world = async () => {
    const store = await (await newStore())();
    const { files, tenant, time } = await filing({ store, folder: temporaryFolder() });
    const clock = { ...systemClock, wall: () => time.now };
    const jobs = new StoredJobQueue({ store, clock, say: () => {}, pollMs: 10 });
    const remoteIds = createRemoteIds({ store, now: clock.wall });
    const state = { job: 'running', status: 200 };
    const asked: string[] = [];
    removeCopies({
      ...{ store, files, jobs, clock, remoteIds, catalogue: await loadCatalogue(builtinPlugins) },
      readView: async () => ({ saved: { ...nothingSaved, providers }, config: () => undefined, configNames: () => [] }),
    } as unknown as RemovalParts);
    jobs.start({
      dispatch:
        () =>
        async ({ method, path }): Promise<GatewayResponse> => {
          asked.push(`${method} ${path}`);
          const [status, said] = method === 'GET' ? [200, { id: 'job-1', status: state.job }] : [state.status, {}];
          return {
            status,
            headers: [],
            origin: 'upstream',
            body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(said)) },
          };
        },
    });
    return {
      ...{ store, files, jobs, tenant, time, state, asked },
      note: (id: string, slug: string, uses?: string) =>
        remoteIds.record(tenant, {
          ...{ kind: uses === undefined ? 'fine-tuning-job' : 'file', id, slug },
          ...(uses === undefined ? {} : { uses }),
        }),
      keep: async () =>
        (await files.keep(tenant, { purpose: 'batch', filename: 'f' }, inPieces(Buffer.from('{}\n'), 9))).id,
      copies: async () =>
        (await store.db.selectFrom('remote_ids').select(['kind', 'remote_id']).execute())
          .filter(({ kind }) => kind.startsWith('file'))
          .map(({ remote_id: id }) => id),
      waiting: async () => (await store.db.selectFrom('jobs').select('id').execute()).length,
    };
  };

  it('the copies of a deleted file in accounts are deleted when no job can read them any more', async () => {
    const { keep, note, files, tenant, time, state, asked, copies, waiting, jobs } = await world();
    const [id, other] = [await keep(), await keep()];
    await note('file-1', 'oa', id);
    await note('gw-set', 'works', id);
    await note(object, 'aws', id);
    await note('file-gone', 'gone', id);
    await note('file-other', 'oa', other);
    time.now += 1000;
    await note('job-1', 'oa');
    expect(await files.remove(tenant, id)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toEqual([]);

    time.now += hourMs;
    await expect.poll(copies).toEqual(['file-1', 'file-other']);
    await expect
      .poll(() => asked.toSorted())
      .toEqual([
        'DELETE /jobs-bucket/gatewright/files/0f1e/file.jsonl',
        'DELETE /v1/accounts/acme/datasets/gw-set',
        'GET /v1/fine_tuning/jobs/job-1',
      ]);
    [state.job, state.status] = ['succeeded', 500];
    time.now += hourMs;
    await expect.poll(() => asked.at(-1)).toBe('DELETE /v1/files/file-1');
    expect(await copies()).toContain('file-1');
    state.status = 404;
    time.now += hourMs;
    await expect.poll(copies).toEqual(['file-other']);
    await expect.poll(waiting).toBe(0);
    await jobs.close();
  });

  it('a copy is not deleted early if the clock is set back', async () => {
    const { store, keep, note, files, tenant, time, asked, copies, jobs } = await world();
    const id = await keep();
    await note('file-1', 'oa', id);
    await files.remove(tenant, id);
    time.now -= hourMs;
    const runs = async (): Promise<number> =>
      (await store.db.selectFrom('jobs').select('fence').where('is_held', '=', 0).executeTakeFirst())?.fence ?? 0;
    await expect.poll(runs).toBeGreaterThan(0);
    expect(asked).toEqual([]);
    time.now += 2 * hourMs;
    await expect.poll(copies).toEqual([]);
    await jobs.close();
  });

  it('copies with equal ids in two accounts are both deleted', async () => {
    const { keep, note, files, tenant, time, asked, copies, jobs } = await world();
    const id = await keep();
    for (const slug of ['oa', 'oa-two']) await note('file-1', slug, id);
    await files.remove(tenant, id);
    time.now += hourMs;
    await expect.poll(copies).toEqual([]);
    expect(asked).toEqual(['DELETE /v1/files/file-1', 'DELETE /v1/files/file-1']);
    await jobs.close();
  });

  it('a deletion that a provider refuses is retried for eight days, and the copy stays the workspace’s own', async () => {
    const { keep, note, files, tenant, time, state, asked, copies, waiting, jobs } = await world();
    const id = await keep();
    await note('file-1', 'oa', id);
    state.status = 403;
    await files.remove(tenant, id);
    for (let day = 1; day <= 9; day += 1) {
      time.now += 24 * hourMs;
      await expect.poll(() => asked.length).toBe(day);
    }
    await expect.poll(waiting).toBe(0);
    expect(await copies()).toEqual(['file-1']);
    await jobs.close();
  });
});
