import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { isConflict } from '../../../../../plugins/control/kernel/store/rows/is-conflict.ts';
import { rowInserter } from '../../../../../plugins/control/kernel/store/rows/row-inserter.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { sampleRows } from './sample-rows.ts';

export interface StoreContractOptions {
  /** Opens another connection to the same store. */
  open(): Promise<Store>;
  /** Whether reads do not wait for a transaction that is open; false for a database with one connection. */
  readonly readsBeside?: boolean;
  /** Whether it notifies other processes of changes. */
  readonly notifies: boolean;
}

const insertSetting = (store: Store, name: string, value: string): Promise<unknown> =>
  store.write((writing) => writing.insertInto('settings').values({ name, value }).execute());

const readSetting = async (store: Store, name: string): Promise<string | undefined> => {
  const row = await store.db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
};

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Defines the tests of a store, whatever its database. Call it inside a `describe`. */
export const testStore = ({ open, readsBeside = true, notifies }: StoreContractOptions): void => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  it('keeps the changes of a write, and resolves to the result of the write', async () => {
    const answer = await store.write(async (writing) => {
      await writing.insertInto('settings').values({ name: 'kept', value: '1' }).execute();
      return 42;
    });
    expect([answer, await readSetting(store, 'kept')]).toEqual([42, '1']);
  });

  it('rolls back a write that rejects, and rejects with the same error', async () => {
    const reason = new Error('no');
    const undone = store.write(async (writing) => {
      await writing.insertInto('settings').values({ name: 'undone', value: '1' }).execute();
      throw reason;
    });
    expect(await rejection(undone)).toBe(reason);
    expect(await readSetting(store, 'undone')).toBeUndefined();
  });

  it('rolls back a write if one of its statements fails', async () => {
    const failed = store.write(async (writing) => {
      await writing.insertInto('settings').values({ name: 'half', value: '1' }).execute();
      await sql`select * from no_such_table`.execute(writing);
    });
    expect(await rejection(failed)).toBeInstanceOf(Error);
    expect(await readSetting(store, 'half')).toBeUndefined();
    await insertSetting(store, 'after', '1');
    expect(await readSetting(store, 'after')).toBe('1');
  });

  it('passes a job its bytes unchanged', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 2)).subarray(1, -1);
    shared.set(bytes);
    await store.perform(new URL('setting-job.ts', import.meta.url), shared);
    expect(await readSetting(store, 'given')).toBe(Buffer.from(bytes).toString('hex'));
  });

  it('notifies a job when its transaction has succeeded, and lets jobs keep state for their database', async () => {
    const perform = (name: string): Promise<void> =>
      store.perform(new URL('remembering-job.ts', import.meta.url), Buffer.from(name));
    await perform('job 1');
    expect(await rejection(perform('fails'))).toBeInstanceOf(Error);
    await perform('job 2');
    await perform('job 3');
    const counts = await Promise.all(['job 1', 'fails', 'job 2', 'job 3'].map((name) => readSetting(store, name)));
    expect(counts).toEqual(['0', undefined, '1', '2']);
  });

  it('inserts any number of rows unchanged, and merges, ignores or refuses existing ones', async () => {
    const columns = { id: 'text', day: 'integer', different: 'integer' } as const;
    const merging = rowInserter('label_counts', {
      columns,
      merge: () => sql`(id) do update set different = label_counts.different + excluded.different`,
    });
    const leaving = rowInserter('label_counts', { columns });
    const refusing = rowInserter('label_counts', { columns, merge: 'refuse' });
    const texts = ['', 'NULL', '"', '\\', '\\"', '{}', ',', '{a,"b"}', "'", '\n\t', 'ä€𝄞', ' x '];
    const rows = Array.from(
      { length: 250 },
      (_, at) => [`${at} ${texts[at % texts.length]}`, at, 2 ** 40 + at] as const,
    );
    const inserted = await store.write(async (writing) => [
      await merging(writing, store.kind, rows),
      await merging(writing, store.kind, rows.slice(0, 130)),
      await leaving(writing, store.kind, [...rows.slice(-2), ['new', 999, 0]]),
      await leaving(writing, store.kind, []),
    ]);
    expect(inserted).toEqual([250, 130, 1, 0]);
    const refused = store.write((writing) => refusing(writing, store.kind, [['newer', 999, 0], ...rows.slice(0, 1)]));
    expect(isConflict(await rejection(refused))).toBe(true);
    const kept = await store.db.selectFrom('label_counts').selectAll().orderBy('day').execute();
    const expected = rows.map(([id, day, different], at) => ({
      id,
      day,
      different: at < 130 ? 2 * different : different,
    }));
    expect(kept.filter(({ id }) => id !== 'new')).toEqual(expected);
  });

  it('loses no increment that reads first and then writes', async () => {
    await insertSetting(store, 'count', '0');
    const increment = (): Promise<void> =>
      store.write(async (writing) => {
        const row = await writing.selectFrom('settings').select('value').where('name', '=', 'count').executeTakeFirst();
        const value = String(Number(row?.value) + 1);
        await writing.updateTable('settings').set({ value }).where('name', '=', 'count').execute();
      });
    await Promise.all(Array.from({ length: 12 }, increment));
    expect(await readSetting(store, 'count')).toBe('12');
  });

  it('lets only one of several writes succeed that each insert a row if there is none', async () => {
    const insertFirst = (name: string): Promise<boolean> =>
      store.write(async (writing) => {
        const others = await writing.selectFrom('settings').select('name').where('value', '=', 'alone').execute();
        if (others.length === 0) await writing.insertInto('settings').values({ name, value: 'alone' }).execute();
        return others.length === 0;
      });
    const passed = await Promise.all(['first', 'second', 'third'].map(insertFirst));
    expect(passed.filter(Boolean)).toHaveLength(1);
  });

  it.runIf(readsBeside)('hides the changes of a write that has not ended', async () => {
    await store.write(async (writing) => {
      await writing.insertInto('settings').values({ name: 'later', value: '1' }).execute();
      expect(await readSetting(store, 'later')).toBeUndefined();
    });
    expect(await readSetting(store, 'later')).toBe('1');
  });

  it('refuses statements that write outside of a write, and a write inside another', async () => {
    const outside = (async () => store.db.deleteFrom('settings').execute())();
    expect(await rejection(outside)).toMatchObject({ message: expect.stringContaining('store.write') });
    const inside = store.write(() => insertSetting(store, 'inside', '1'));
    expect(await rejection(inside)).toMatchObject({ message: expect.stringContaining('inside another') });
  });

  it('reports a second row with the same key or the same unique values as a conflict', async () => {
    await insertSetting(store, 'one', '1');
    expect(isConflict(await rejection(insertSetting(store, 'one', '2')))).toBe(true);
    const id = newId(Date.now());
    const organisation = { id, name: 'a', settings: '{}', created_at: 1, updated_at: 1 };
    const insertWorkspace = (): Promise<unknown> =>
      store.write((writing) =>
        writing
          .insertInto('workspaces')
          .values({ ...organisation, id: randomUUID(), organisation_id: id, slug: 'same' })
          .execute(),
      );
    await store.write((writing) => writing.insertInto('organisations').values(organisation).execute());
    await insertWorkspace();
    expect(isConflict(await rejection(insertWorkspace()))).toBe(true);
    expect(isConflict(await rejection(sql`select * from no_such_table`.execute(store.db)))).toBe(false);
  });

  it('refuses a row whose parent does not exist', async () => {
    const orphan = { ...sampleRows.workspaces, id: randomUUID(), organisation_id: randomUUID(), slug: 'orphan' };
    const error = await rejection(store.write((writing) => writing.insertInto('workspaces').values(orphan).execute()));
    expect(error).toMatchObject({ message: expect.stringMatching(/foreign key/i) });
    expect(isConflict(error)).toBe(false);
  });

  it('keeps the rows of all tables unchanged, with any characters and all safe integers', async () => {
    for (const [table, row] of Object.entries(sampleRows)) {
      const name = table as 'settings';
      await store.write((writing) =>
        writing
          .insertInto(name)
          .values(row as never)
          .execute(),
      );
      expect(await store.db.selectFrom(name).selectAll().execute(), table).toContainEqual(row);
    }
  });

  it('deletes the versions of a deleted config, and refuses to delete a workspace that is in use', async () => {
    const { workspaces, configs, config_versions } = sampleRows;
    const used = store.write((writing) => writing.deleteFrom('workspaces').where('id', '=', workspaces.id).execute());
    expect(await rejection(used)).toMatchObject({ message: expect.stringMatching(/foreign key/i) });
    await store.write((writing) => writing.deleteFrom('configs').where('id', '=', configs.id).execute());
    const versions = store.db.selectFrom('config_versions').where('id', '=', config_versions.id).selectAll();
    expect(await versions.execute()).toEqual([]);
  });

  it('sorts texts by code point, and returns counts as numbers', async () => {
    for (const name of ['sort-b', 'sort-a', 'sort-C', 'sort-é', 'sort-_']) await insertSetting(store, name, 'sort');
    const sorted = store.db.selectFrom('settings').select('name').where('value', '=', 'sort').orderBy('name');
    const names = (await sorted.execute()).map(({ name }) => name);
    expect(names).toEqual(['sort-C', 'sort-_', 'sort-a', 'sort-b', 'sort-é']);
    const counted = store.db.selectFrom('settings').select((db) => db.fn.countAll<number>().as('count'));
    expect(await counted.where('value', '=', 'sort').executeTakeFirst()).toEqual({ count: 5 });
  });

  it('reports how many rows it changed', async () => {
    for (const name of ['changed-1', 'changed-2']) await insertSetting(store, name, 'changed');
    const change = store.write((writing) =>
      writing.updateTable('settings').set({ value: 'now' }).where('value', '=', 'changed').executeTakeFirst(),
    );
    expect((await change).numUpdatedRows).toBe(2n);
  });

  it('has a version for each feed, which is incremented in the same write as the change', async () => {
    const before = await store.versions();
    await store.write((writing) => store.bump(writing, 'plans'));
    await rejection(
      store.write(async (writing) => {
        await store.bump(writing, 'keys');
        throw new Error('no');
      }),
    );
    expect(await store.versions()).toEqual({ ...before, plans: before.plans + 1 });
  });

  it('records the version of the last change of plans for each tenant', async () => {
    const bump = (tenant?: string): Promise<void> => store.write((writing) => store.bump(writing, 'plans', tenant));
    await bump('one');
    await bump('two');
    await bump('one');
    await bump();
    await store.write((writing) => store.bump(writing, 'keys', 'two'));
    const { plans } = await store.versions();
    const noted = store.db
      .selectFrom('tenant_versions')
      .selectAll()
      .where('version', '>', plans - 4);
    expect(await noted.where('version', '<=', plans).orderBy('version').execute()).toEqual([
      { tenant: 'two', version: plans - 2 },
      { tenant: 'one', version: plans - 1 },
      { tenant: '*', version: plans },
    ]);
  });

  it.runIf(notifies)('notifies a watcher of a change by another process until it stops watching', async () => {
    const other = await open();
    let calls = 0;
    const stop = store.watch(() => {
      calls += 1;
    });
    await expect
      .poll(async () => {
        await other.write((writing) => other.bump(writing, 'keys'));
        return calls;
      })
      .toBeGreaterThan(0);
    stop();
    const callsBefore = calls;
    await other.write((writing) => other.bump(writing, 'keys'));
    await other.close();
    expect(calls).toBe(callsBefore);
  });

  it('completes writes that started before it is closed, and rejects later ones', async () => {
    const other = await open();
    const begun = insertSetting(other, 'begun', '1');
    await Promise.all([other.close(), other.close()]);
    await begun;
    expect(await readSetting(store, 'begun')).toBe('1');
    expect(await rejection(insertSetting(other, 'late', '1'))).toBeInstanceOf(StoreError);
  });
};
