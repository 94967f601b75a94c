import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import { bumpFeed, isNoted, noteTenant, readVersions } from './feeds.ts';
import { readsOnly } from './reads-only.ts';
import { settledWithin } from './settled-within.ts';
import { type Store, StoreError, type Writing } from './store.ts';
import type { Feed, Tables } from './tables/tables.ts';

/** What a database does in its own way. */
export interface Database {
  readonly kind: Store['kind'];
  /** For people. */
  readonly where: string;
  readonly reader: Kysely<Tables>;
  transact<Result>(run: (writing: Writing) => Promise<Result>): Promise<Result>;
  perform(job: URL, bytes: Uint8Array): Promise<void>;
  /** Tells other processes, when the transaction has succeeded. */
  announce(writing: Writing, feed: Feed): Promise<void>;
  watch(run: () => void): () => void;
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** As long as closing waits for writes that have begun, in milliseconds. */
const longestWait = 5000;

/** A store over a database whose tables are there. */
export const toStore = (database: Database): Store => {
  const { kind, where } = database;
  const running = new Set<Promise<unknown>>();
  const inside = new AsyncLocalStorage<{ open: boolean }>();
  let closing: Promise<void> | undefined;

  const transact = <Result>(run: (writing: Writing) => Promise<Result>): Promise<Result> =>
    database.transact((writing) => {
      const scope = { open: true };
      return inside
        .run(scope, () => run(writing))
        .finally(() => {
          scope.open = false;
        });
    });

  const begun = async <Result>(begin: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) throw new StoreError(`The store ${where} is closed.`);
    if (inside.getStore()?.open === true) throw new TypeError('A write of the store is inside another one.');
    const result = begin();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };

  const close = async (): Promise<void> => {
    await settledWithin(running, longestWait);
    await database.close();
  };

  return {
    kind,
    db: database.reader.withPlugin(readsOnly),
    write: (run) => begun(() => transact(run)),
    perform: (job, bytes) => begun(() => database.perform(job, bytes)),
    async bump(writing, feed, tenant) {
      await bumpFeed(writing, feed);
      if (isNoted(feed)) await noteTenant(writing, feed, tenant);
      await database.announce(writing, feed);
    },
    versions: () => readVersions(database.reader),
    watch: (run) => database.watch(run),
    backup: (file) => database.backup(file),
    close: () => (closing ??= close()),
  };
};
