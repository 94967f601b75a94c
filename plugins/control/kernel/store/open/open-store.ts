import path from 'node:path';
import type { Clock } from '../../../../sdk/clock.ts';
import { isBusy } from '../sqlite/failure.ts';
import type { SqliteThread } from '../sqlite/sqlite-thread.ts';
import { type Store, StoreError } from '../store.ts';

/** Where a store is. `where` can be shown to people: it has no user and no password. */
export type StoreUrl =
  | { readonly kind: 'sqlite'; readonly file: string; readonly where: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly where: string };

const forms = 'Write a path, sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE.';
const encoding = 'Characters such as @, /, ? and # in its user or password are written %40, %2F, %3F and %23.';

const readFile = (written: string): StoreUrl => {
  if (written.startsWith('//'))
    throw new StoreError(`The URL of a store in a file is sqlite:PATH, without //. ${forms}`);
  if (written === '' || written === ':memory:') throw new StoreError(`The store needs a file of its own. ${forms}`);
  const file = path.resolve(written);
  return { kind: 'sqlite', file, where: file };
};

const readPostgres = (written: string): StoreUrl => {
  const url = URL.parse(written);
  if (url === null) throw new StoreError(`The URL of the store's PostgreSQL cannot be read. ${encoding}`);
  const { host, pathname, search, hash } = url;
  if (hash !== '' || `${pathname}${search}`.includes('@'))
    throw new StoreError(`The URL of the store's PostgreSQL is ambiguous. ${encoding}`);
  return { kind: 'postgres', url: written, where: `postgres://${host}${pathname}` };
};

/**
 * Reads where a store is: a path, `sqlite:path`, or `postgres://…`.
 *
 * @throws StoreError
 */
export const readStoreUrl = (written: string): StoreUrl => {
  // Two characters at least, since C: is a disk.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(written)?.[1]?.toLowerCase();
  if (scheme === undefined) return readFile(written);
  if (scheme === 'sqlite') return readFile(written.slice('sqlite:'.length));
  if (scheme === 'postgres' || scheme === 'postgresql') return readPostgres(written);
  throw new StoreError(`The store cannot be kept in ${scheme}. ${forms}`);
};

/** Where a store has what belongs to it: beside a file of SQLite, or as `gateway<ending>` in the working folder. */
export const besideStore = (at: StoreUrl, ending: string, cwd: string = process.cwd()): string =>
  at.kind === 'sqlite' ? `${at.file}${ending}` : path.resolve(cwd, `gateway${ending}`);

export interface OpenStoreOptions {
  /** A path, `sqlite:path` or `postgres://…`. */
  readonly url: string;
  /**
   * Whether this process serves. Of an SQLite file one process serves, and others may open it beside that, such as commands
   * that make a key or a backup.
   */
  readonly serving?: boolean;
  /** The thread of an SQLite file that several processes share; one of this process alone if absent. */
  readonly thread?: SqliteThread | undefined;
  readonly leads?: Store['leads'];
  /** As long as PostgreSQL is waited for, in milliseconds. */
  readonly timeouts?: { readonly connect?: number; readonly statement?: number };
}

/**
 * Opens a store, makes its tables where they are not there yet, and brings older ones up to date.
 *
 * @throws StoreError
 */
export const openStore = async (options: OpenStoreOptions): Promise<Store> => {
  const { url, serving = true, thread, leads, timeouts = {} } = options;
  const at = readStoreUrl(url);
  if (at.kind === 'sqlite') {
    const { openSqlite } = await import('../sqlite/open-sqlite.ts');
    return { ...(await openSqlite({ file: at.file, serving, thread })), leads };
  }
  const { openPostgres } = await import('../postgres/open-postgres.ts');
  return { ...(await openPostgres({ url: at.url, where: at.where, timeouts })), leads };
};

/** A store of which it is known whether it can be written. */
export interface WatchedWrites {
  readonly store: Store;
  /** Why the last write failed, as a sentence; undefined where it did not. */
  failure(): string | undefined;
}

/**
 * Notes whether the writes of a store fail, as they do where its disk is full while it is read as ever. From the first failure
 * on it tries one each five seconds that changes nothing, until a write succeeds or the store is closed.
 */
export const watchWrites = (store: Store, clock: Pick<Clock, 'after'>): WatchedWrites => {
  let failure: string | undefined;
  let stopTimer: (() => void) | undefined;
  let isClosed = false;

  const tryLater = (): void => {
    if (isClosed || stopTimer !== undefined) return;
    stopTimer = clock.after(5000, () => {
      stopTimer = undefined;
      void probe();
    });
  };

  const noted = async <Result>(written: Promise<Result>): Promise<Result> => {
    try {
      const result = await written;
      failure = undefined;
      return result;
    } catch (error) {
      if (error instanceof StoreError && !isBusy(error)) {
        failure = error.message;
        tryLater();
      }
      throw error;
    }
  };

  /** Writes a row as it is, for which the database needs room as for any other. */
  const probe = async (): Promise<void> => {
    const touch = noted(
      store.write((writing) =>
        writing
          .updateTable('feeds')
          .set(({ ref }) => ({ version: ref('version') }))
          .execute(),
      ),
    );
    await touch.catch(() => {
      if (failure !== undefined) tryLater();
    });
  };

  return {
    failure: () => failure,
    store: {
      ...store,
      write: (run) => noted(store.write(run)),
      perform: (job, bytes) => noted(store.perform(job, bytes)),
      async close() {
        isClosed = true;
        stopTimer?.();
        await store.close();
      },
    },
  };
};
