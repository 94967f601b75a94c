import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { linkedThread } from '../../../../../plugins/control/kernel/store/sqlite/linked-file.ts';
import { SharedFile, type TransactionBounds } from '../../../../../plugins/control/kernel/store/sqlite/shared-file.ts';
import { startSqliteThread } from '../../../../../plugins/control/kernel/store/sqlite/sqlite-thread.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { patience } from '../../../../support/run/patience.ts';
import { testStore } from './store-contract.ts';

interface Shared {
  readonly file: SharedFile;
  /** Lowers a limit once the stores are open, because creating their tables can take longer than that on a busy machine. */
  narrow(bound: Partial<TransactionBounds>): void;
  /** Opens the store as one of the processes. */
  open(asker: number): Promise<Store>;
}

const long: TransactionBounds = { silentMs: 60_000, wholeMs: 60_000, waitMs: 60_000 };

const share = (url: string): Shared => {
  const bounds = { ...long };
  const file = new SharedFile({ start: () => startSqliteThread(url), where: url, clock: systemClock, bounds });
  return {
    file,
    narrow: (bound) => Object.assign(bounds, bound),
    open: (asker) => openStore({ url, thread: linkedThread((question) => file.ask(asker, structuredClone(question))) }),
  };
};

const newShared = (): Shared => {
  const shared = share(path.join(temporaryFolder(), 'gateway.db'));
  onTestFinished(() => shared.file.end());
  return shared;
};

const insert = (store: Store, name: string, before: () => Promise<unknown> = async () => {}): Promise<unknown> =>
  store.write(async (writing) => {
    await writing.insertInto('settings').values({ name, value: '1' }).execute();
    await before();
    await writing
      .insertInto('settings')
      .values({ name: `${name} again`, value: '2' })
      .execute();
  });

const namesIn = async (store: Store): Promise<readonly string[]> =>
  (await store.db.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name);

const never = new Promise<void>(() => {});

describe('an SQLite file that another process has open', () => {
  const shared = share(path.join(temporaryFolder({}, afterAll), 'gateway.db'));
  afterAll(() => shared.file.end());
  let askers = 0;
  testStore({
    open: () => {
      askers += 1;
      return shared.open(askers);
    },
    notifies: false,
  });
});

describe('an SQLite file that several processes share', () => {
  it('keeps the transactions of each process whole', async () => {
    const { open } = newShared();
    const stores = await Promise.all([1, 2, 3, 4].map(open));
    await Promise.all(
      stores.flatMap((store, asker) => Array.from({ length: 10 }, (_, at) => insert(store, `${asker}-${at}`))),
    );
    expect((await namesIn(stores[0] as Store)).length).toBe(80);
  });

  it('rolls back the transaction of a process that ends, and lets the others write', async () => {
    const { file, open } = newShared();
    const [one, other, third] = [await open(1), await open(2), await open(3)];
    const begun = Promise.withResolvers<void>();
    void insert(one, 'killed', () => {
      begun.resolve();
      return never;
    });
    await begun.promise;
    const waits = insert(other, 'other');
    // A process that ends while it waits for its turn writes nothing either.
    const late = insert(third, 'late');
    await namesIn(third);
    file.leave(3);
    file.leave(1);
    await expect(late).rejects.toThrow(StoreError);
    await waits;
    expect(await namesIn(other)).toEqual(['other', 'other again']);
  });

  it('rolls back a transaction that sends no more statements, and rejects its later ones', async () => {
    const { open, narrow } = newShared();
    const [one, other] = [await open(1), await open(2)];
    narrow({ silentMs: 50 });
    const goOn = Promise.withResolvers<void>();
    const stalled = insert(one, 'stalled', () => goOn.promise);
    await insert(other, 'other');
    goOn.resolve();
    await expect(stalled).rejects.toThrow('took too long and was rolled back. Try again.');
    await insert(one, 'once more');
    expect(await namesIn(other)).toEqual(['once more', 'once more again', 'other', 'other again']);
  });

  it('rolls back a transaction that lasts too long, even if it keeps sending statements', async () => {
    const { open, narrow } = newShared();
    const [one, other] = [await open(1), await open(2)];
    narrow({ wholeMs: 200 });
    const endless = one.write(async (writing) => {
      for (let at = 0; ; at += 1)
        await writing
          .insertInto('settings')
          .values({ name: `n${at}`, value: '' })
          .execute();
    });
    await expect(endless).rejects.toThrow('took too long');
    // On a busy machine this transaction may also take too long and be rolled back.
    await vi.waitFor(() => insert(other, 'other'), patience);
    expect(await namesIn(other)).toEqual(['other', 'other again']);
  });

  it('rejects a write that waits too long for its turn', async () => {
    const { open, narrow } = newShared();
    const [one, other] = [await open(1), await open(2)];
    narrow({ waitMs: 50 });
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = insert(one, 'one', () => {
      begun.resolve();
      return goOn.promise;
    });
    await begun.promise;
    await expect(insert(other, 'other')).rejects.toThrow('Another worker has been writing to the store');
    goOn.resolve();
    await first;
    await insert(other, 'later');
    expect(await namesIn(one)).toEqual(['later', 'later again', 'one', 'one again']);
  });

  it('refuses statements for a transaction that has ended or that belongs to another process', async () => {
    const { file, open } = newShared();
    await open(1);
    const statement = (sql: string) => ({ kind: 'run', on: 'writer', sql, parameters: [] }) as const;
    await file.ask(1, { question: statement('begin immediate'), transaction: 7 });
    const write = statement("insert into settings (name, value) values ('x', 'x')");
    await expect(file.ask(1, { question: write, transaction: 6 })).rejects.toThrow(StoreError);
    await expect(file.ask(2, { question: write, transaction: 7 })).rejects.toThrow(StoreError);
    await file.ask(2, { question: { kind: 'rollback', on: 'writer' }, transaction: 7 });
    await file.ask(1, { question: write, transaction: 7 });
    await file.ask(1, { question: statement('commit'), transaction: 7 });
    await expect(file.ask(1, { question: write, transaction: 7 })).rejects.toThrow(StoreError);
  });
});
