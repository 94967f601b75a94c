import { expect, it } from 'vitest';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { BatchRow } from '../../../../../plugins/control/kernel/store/tables.ts';
import { listBatchRows } from '../../../../../plugins/control/work/batches/managed/batch-store.ts';
import { findEach } from '../../../../../plugins/control/work/provider-requests/find-each.ts';
import { ProviderRefusal } from '../../../../../plugins/control/work/provider-requests/provider-refusal.ts';
import { recordedItems } from '../../../../../plugins/control/work/provider-requests/recorded-items.ts';
import { createRemoteIds } from '../../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { saveWorkspace } from '../../support/save-workspace.ts';

const newTenant = async (store: Store): Promise<TenantId> => (await saveWorkspace(store)).workspace_id as TenantId;

const notFound = { status: 404, body: {} };

const batch: Omit<BatchRow, 'id' | 'workspace_id'> = {
  ...{ slug: 'main', endpoint: '/v1/embeddings', completion_window: '24h', plan: '{}' },
  ...{ input_file_id: 'gw-file-1', status: 'in_progress', ending: null, metadata: null, creator: '{}', errors: null },
  ...{ keep_ms: null, output_file_id: null, error_file_id: null, total: 1, completed: 0, failed: 0, parts: 1 },
  ...{ lanes_left: 1, input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, nano_usd: 0 },
  ...{ created_at: 1000, expires_at: 2000, in_progress_at: null, finalizing_at: null, completed_at: null },
  ...{ failed_at: null, expired_at: null, cancelling_at: null, cancelled_at: null },
};

onEachStore((newStore) => {
  it('a walk repeats and loses nothing while more is recorded in the same millisecond', async () => {
    const store = await (await newStore())();
    const tenant = await newTenant(store);
    const remoteIds = createRemoteIds({ store, now: () => 1000 });
    const other = await newTenant(store);
    let made = 0;
    const record = async (): Promise<void> => {
      made += 1;
      // Neither ascending nor descending, because ids of providers have no order.
      const id = `job-${(made * 37) % 100}`;
      await remoteIds.record(tenant, { kind: 'fine-tuning-job', id, slug: 'main' });
      await remoteIds.record(other, { kind: 'fine-tuning-job', id: `${id}-other`, slug: 'main' });
    };
    for (let at = 0; at < 9; at += 1) await record();
    const gone = new Set(['job-74', 'job-11', 'job-48']);
    const find = async (id: string): Promise<string> => {
      if (gone.has(id)) throw new ProviderRefusal(notFound);
      return id;
    };
    const findAll = (ids: readonly string[]): Promise<readonly string[]> => findEach(ids, find);
    const page = { kind: 'fine-tuning-job', slug: 'main' } as const;
    const before = await recordedItems(store, tenant, { ...page, limit: 100 }, findAll);
    expect(before?.data).toHaveLength(6);
    const seen: string[] = [];
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const read = await recordedItems(store, tenant, { ...page, after, limit: 2 }, findAll);
      expect(read?.data.length).toBeGreaterThan(0);
      seen.push(...(read?.data ?? []));
      if (read?.hasMore !== true) break;
      await record();
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining([...(before?.data ?? [])]));
    expect(await recordedItems(store, tenant, { ...page, after: 'job-none', limit: 2 }, findAll)).toBeUndefined();
  });

  it('a page ends after 300 items that the provider has lost, because each takes a request', async () => {
    const store = await (await newStore())();
    const tenant = await newTenant(store);
    const remoteIds = createRemoteIds({ store, now: () => 1000 });
    for (let at = 0; at < 350; at += 1)
      await remoteIds.record(tenant, { kind: 'fine-tuning-job', id: `job-${at}`, slug: 'main' });
    let requested = 0;
    const findNone = async (ids: readonly string[]): Promise<readonly string[]> => {
      requested += ids.length;
      return [];
    };
    const page = { kind: 'fine-tuning-job', slug: 'main', limit: 20 } as const;
    expect(await recordedItems(store, tenant, page, findNone)).toEqual({ data: [], hasMore: true });
    expect(requested).toBe(300);
  });

  it('a walk of the batches that the gateway runs repeats and loses none while others are created', async () => {
    const store = await (await newStore())();
    const tenant = await newTenant(store);
    const create = (): Promise<unknown> =>
      store.write((writing) =>
        writing
          .insertInto('batches')
          .values({ ...batch, workspace_id: tenant, id: `gw-batch-${newId(1000)}` })
          .execute(),
      );
    for (let at = 0; at < 5; at += 1) await create();
    const list = (limit: number, after?: string) => listBatchRows(store.db, { tenant, slug: 'main', after, limit });
    const before = (await list(100)).map(({ id }) => id);
    const seen: string[] = [];
    for (let rows = await list(2); rows.length > 0; rows = await list(2, seen.at(-1))) {
      seen.push(...rows.slice(0, 2).map(({ id }) => id));
      await create();
    }
    expect(seen).toEqual(before);
  });
});
