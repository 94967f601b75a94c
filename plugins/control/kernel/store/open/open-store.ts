import path from 'node:path';
import type { Clock } from '../../../../sdk/clock.ts';
import type { AddJobs } from '../postgres/pool.ts';
import { isBusy } from '../sqlite/failure.ts';
import type { SqliteThread } from '../sqlite/sqlite-thread.ts';
import { type OlderStore, type Store, StoreError } from '../store.ts';

/** Where a store is. `where` can be shown to people: it contains no user and no password. */
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
 * Parses the location of a store: a path, `sqlite:path`, or `postgres://…`.
 *
 * @throws StoreError
 */
export const readStoreUrl = (written: string): StoreUrl => {
  // At least two characters, because C: is a disk.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(written)?.[1]?.toLowerCase();
  if (scheme === undefined) return readFile(written);
  if (scheme === 'sqlite') return readFile(written.slice('sqlite:'.length));
  if (scheme === 'postgres' || scheme === 'postgresql') return readPostgres(written);
  throw new StoreError(`The store cannot be kept in ${scheme}. ${forms}`);
};

/**
 * Returns where files that belong to a store are kept: next to an SQLite file, or as `gateway<ending>` in the working directory.
 */
export const besideStore = (at: StoreUrl, ending: string, cwd: string = process.cwd()): string =>
  at.kind === 'sqlite' ? `${at.file}${ending}` : path.resolve(cwd, `gateway${ending}`);

export interface OpenStoreOptions {
  /** A path, `sqlite:path` or `postgres://…`. */
  readonly url: string;
  /**
   * Whether this process serves. An SQLite file is served by one process. Others, such as commands that create a key or a backup,
   * may open it at the same time.
   */
  readonly serving?: boolean;
  /** `upgrade` if absent. */
  readonly older?: OlderStore | undefined;
  /** The thread of an SQLite file, if others use it too: the log, or several processes. If absent, it has a thread of its own. */
  readonly thread?: SqliteThread | undefined;
  /** Adds jobs of PostgreSQL to a thread that the log uses too. If absent, they have a thread of their own. */
  readonly addJobs?: AddJobs | undefined;
  readonly leads?: Store['leads'];
  /** Notified of what takes long, as sentences for the operator. */
  readonly say?: ((text: string) => void) | undefined;
  /** How long to wait for PostgreSQL, in milliseconds. */
  readonly timeouts?: { readonly connect?: number; readonly statement?: number };
}

/**
 * Opens a store, and creates its tables or brings them up to date.
 *
 * @throws StoreError
 */
export const openStore = async (options: OpenStoreOptions): Promise<Store> => {
  const { url, serving = true, older, thread, addJobs, leads, say, timeouts = {} } = options;
  const at = readStoreUrl(url);
  if (at.kind === 'sqlite') {
    const { openSqlite } = await import('../sqlite/open-sqlite.ts');
    return { ...(await openSqlite({ file: at.file, serving, older, thread, say })), leads };
  }
  const { openPostgres } = await import('../postgres/open-postgres.ts');
  return { ...(await openPostgres({ url: at.url, where: at.where, older, timeouts, addJobs, say })), leads };
};

/** A store that tracks whether it can be written. */
export interface WatchedWrites {
  readonly store: Store;
  /** Returns why the last write failed, as a sentence; undefined if it succeeded. */
  failure(): string | undefined;
}

/**
 * Tracks whether the writes of a store fail, as they do if its disk is full, while reads still succeed. After a failure, tries a
 * write that changes nothing every five seconds, until a write succeeds or the store is closed.
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

  /**
   * Writes a row that is unchanged at the end of the transaction. SQLite would not write one that is unchanged from its beginning,
   * so the version is changed in between. The database needs as much room for it as for any other write.
   */
  const probe = async (): Promise<void> => {
    const touch = noted(
      store.write(async (writing) => {
        for (const change of [1, -1])
          await writing
            .updateTable('feeds')
            .set((row) => ({ version: row('version', '+', change) }))
            .execute();
      }),
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
