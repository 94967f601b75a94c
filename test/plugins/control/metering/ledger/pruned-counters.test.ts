import { describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { limitedTables, pruneLedger } from '../../../../../plugins/control/metering/ledger/ledger-store.ts';
import { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { saveWorkspace } from '../../support/save-workspace.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { databases, urls } from './databases.ts';
import { monday, postAll, toCharge, toPosting } from './sample-posting.ts';
import { savePolicy } from './save-policy.ts';

const day = 86_400_000;

describe.each(databases)('counters in %s', (kind) => {
  const open = async () => {
    const store = await openStore({ url: await urls[kind]() });
    onTestFinished(() => store.close());
    const writer = new LedgerWriter({ store, clock: jumpingClock(monday), say: (text) => expect.fail(text) });
    onTestFinished(() => writer.close());
    const count = async (charges: readonly { readonly policy: string; readonly window?: number }[]): Promise<void> => {
      postAll(
        writer,
        charges.map((charge) => toPosting({ id: newId(monday), charges: [toCharge(charge)] })),
      );
      await writer.flush();
    };
    const prune = (now: number) => pruneLedger(store, { before: now - 30 * day, now }, () => false);
    const left = async (): Promise<readonly string[]> => {
      const rows = await store.db.selectFrom('counters').select(['policy', 'window_at']).execute();
      return rows.map(({ policy, window_at }) => `${policy} ${window_at}`).toSorted();
    };
    return { store, count, prune, left };
  };

  it('that never start again are deleted a year after their policy was archived', async () => {
    const { store, count, prune, left } = await open();
    const active = await savePolicy(store);
    const archived = await savePolicy(store, { status: 'archived', updated_at: monday });
    await count([{ policy: active }, { policy: archived }]);
    await prune(monday + 366 * day);
    expect(await left()).toEqual([`${active} 0`, `${archived} 0`].toSorted());
    await prune(monday + 366 * day + 1);
    expect(await left()).toEqual([`${active} 0`]);
  });

  it('of the own limits of a record are deleted with the record', async () => {
    const { store, count, prune, left } = await open();
    const { workspace_id: workspace } = await saveWorkspace(store);
    const own = { policy: `${workspace}/usage/tokens` };
    const inAnother = { policy: `${newId(monday)}/${workspace}/usage/cost` };
    await count([own, inAnother, { policy: newId(monday) }]);
    await prune(monday);
    expect(await left()).toEqual([`${own.policy} 0`]);
    await store.write((writing) => writing.deleteFrom('workspaces').where('id', '=', workspace).execute());
    await prune(monday);
    expect(await left()).toEqual([]);
  });

  it('of a window that no limit can still be in are deleted, even if no later one has begun', async () => {
    const { store, count, prune, left } = await open();
    const policy = await savePolicy(store);
    await count([{ policy, window: monday }]);
    await prune(monday + 366 * day);
    expect(await left()).toEqual([`${policy} ${monday}`]);
    await prune(monday + 369 * day);
    expect(await left()).toEqual([]);
  });
});

it('counters are kept for every table that has a column of limits', async () => {
  await using temporary = await temporaryStore();
  const { store } = temporary;
  const tables = await store.db.introspection.getTables();
  const limited = tables.filter(({ columns }) => columns.some(({ name }) => /limits$/.test(name)));
  expect([...limitedTables].toSorted()).toEqual(limited.map(({ name }) => name).toSorted());
});
