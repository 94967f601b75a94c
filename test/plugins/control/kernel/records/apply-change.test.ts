import { expect, it } from 'vitest';
import { applyChange, type Change } from '../../../../../plugins/control/kernel/records/records.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { OrganisationRow } from '../../../../../plugins/control/kernel/store/tables.ts';
import { temporaryStore } from '../../support/temporary-store.ts';

const before = { id: '1', name: 'a', settings: '{}', created_at: 10, updated_at: 10 };

const change = (make: (row: OrganisationRow) => Promise<OrganisationRow>): Change<OrganisationRow> => ({
  find: (db) => db.selectFrom('organisations').selectAll().where('id', '=', '1').executeTakeFirstOrThrow(),
  make,
  replace: async (writing, row) => {
    await writing.updateTable('organisations').set(row).where('id', '=', '1').execute();
  },
});

const settings = (store: Store, text: string) =>
  applyChange(
    store,
    change(async (row) => ({ ...row, settings: text })),
  );

const world = async () => {
  const opened = await temporaryStore();
  await opened.store.write((writing) => writing.insertInto('organisations').values(before).execute());
  return opened;
};

it('validates a change again if another one was made meanwhile, and loses neither', async () => {
  await using opened = await world();
  const { store } = opened;
  const validated: string[] = [];
  const after = await applyChange(
    store,
    change(async (row) => {
      validated.push(row.settings);
      if (validated.length === 1) await settings(store, '{"b":1}');
      return { ...row, name: 'c' };
    }),
  );
  expect(validated).toEqual(['{}', '{"b":1}']);
  expect(after).toEqual({ ...before, name: 'c', settings: '{"b":1}', updated_at: 12 });
  expect(await store.db.selectFrom('organisations').selectAll().execute()).toEqual([after]);
});

it('reports a conflict if other changes always come first', async () => {
  await using opened = await world();
  const { store } = opened;
  const slow = applyChange(
    store,
    change(async (row) => {
      await settings(store, row.settings);
      return { ...row, name: 'c' };
    }),
  );
  await expect(slow).rejects.toMatchObject({ report: { status: 409, code: 'conflict' } });
  expect(await store.db.selectFrom('organisations').select('name').execute()).toEqual([{ name: 'a' }]);
});
