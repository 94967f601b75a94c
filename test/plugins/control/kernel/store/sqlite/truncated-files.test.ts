import { statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../../../plugins/control/kernel/store/open/open-store.ts';
import { type Store, StoreError } from '../../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../../support/commands/temporary-folder.ts';

const openFile = async (): Promise<{ readonly file: string; readonly store: Store }> => {
  const file = path.join(temporaryFolder(), 'gateway.db');
  const store = await openStore({ url: file });
  onTestFinished(() => store.close());
  return { file, store };
};

const insert = (store: Store, name: string): Promise<unknown> =>
  store.write((writing) => writing.insertInto('settings').values({ name, value: '1' }).execute());

it.each(['', '-wal'])(
  'a store whose file gateway.db%s was truncated while it is open is not written',
  async (ending) => {
    const { file, store } = await openFile();
    await insert(store, 'before');
    truncateSync(`${file}${ending}`);
    const size = (): number => statSync(`${file}-wal`).size;
    const sizeBefore = size();
    for (const name of ['first', 'second'])
      await expect(insert(store, name)).rejects.toThrow(
        new StoreError(
          `The file ${file}${ending} was truncated while it was open, and what it contained is lost. Stop this program. Then restore a backup of the database, or, to begin with an empty one, move it and the files beside it that end in -wal and -shm away.`,
        ),
      );
    expect(size()).toBe(sizeBefore);
  },
);

it('a store whose gateway.db-shm was truncated while it is open is read and written, and loses nothing', async () => {
  const { file, store } = await openFile();
  const read = async ({ db }: Store) =>
    (await db.selectFrom('settings').select('name').where('name', 'like', 'name %').orderBy('name').execute()).map(
      ({ name }) => name,
    );
  await insert(store, 'name 1');
  truncateSync(`${file}-shm`);
  expect(await read(store)).toEqual(['name 1']);
  truncateSync(`${file}-shm`);
  await insert(store, 'name 2');
  expect(await read(store)).toEqual(['name 1', 'name 2']);
  truncateSync(`${file}-shm`);
  await store.close();
  const next = await openStore({ url: file });
  onTestFinished(() => next.close());
  expect(await read(next)).toEqual(['name 1', 'name 2']);
});

it('a store is written and read while other programs copy its -wal into it and truncate that', async () => {
  const { file, store } = await openFile();
  const other = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => other.close());
  const names: string[] = [];
  let isOn = true;
  const writing = (async () => {
    for (let number = 0; isOn; number += 1) {
      await insert(store, `name ${number}`);
      names.push(`name ${number}`);
    }
  })();
  let truncations = 0;
  while (truncations < 40) {
    await setTimeout(1);
    // It is busy while the store is in a transaction.
    const { busy } = other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
    if (busy === 0) truncations += 1;
  }
  isOn = false;
  await writing;
  const rows = await store.db.selectFrom('settings').select('name').where('name', 'like', 'name %').execute();
  expect(rows.length).toBe(names.length);
});
