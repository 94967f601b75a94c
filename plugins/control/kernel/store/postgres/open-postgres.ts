import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import type { Client } from 'pg';
import { runJob } from '../job.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { type Store, StoreError } from '../store.ts';
import type { Tables } from '../tables.ts';
import { toStore } from '../to-store.ts';
import {
  type AddJobs,
  clientConfig,
  createJobThread,
  importPg,
  type JobThread,
  openPool,
  type Timeouts,
  transactIn,
} from './pool.ts';

const channel = 'gatewright_feeds';

const firstPause = 100;

export interface Listener {
  /** Calls `run` on every change. Returns a function that stops it. */
  watch(run: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Creates a listener for what other processes announce. It uses one connection, which is opened when there is a watcher, and
 * again when it ends. Watchers are also called when it has been opened, because something may have been missed before.
 */
const createListener = (connect: () => Client): Listener => {
  const watchers = new Set<() => void>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = firstPause;

  const notify = (): void => {
    for (const run of watchers) run();
  };

  const drop = (): void => {
    clearTimeout(timer);
    const dropped = client;
    client = undefined;
    void dropped?.end().catch(() => {});
  };

  const start = async (): Promise<void> => {
    let started: Client | undefined;
    const restart = (): void => {
      if (client !== started) return;
      drop();
      timer = setTimeout(start, pause).unref();
      pause = Math.min(pause * 2, 5000);
    };
    try {
      started = connect();
      client = started;
      started.on('error', restart).on('end', restart).on('notification', notify);
      await started.connect();
      await started.query(`listen ${channel}`);
      pause = firstPause;
      notify();
    } catch {
      restart();
    }
  };

  return {
    watch(run) {
      // The same function may be registered twice.
      const watcher = (): void => run();
      watchers.add(watcher);
      if (watchers.size === 1) void start();
      return () => {
        if (watchers.delete(watcher) && watchers.size === 0) drop();
      };
    },
    async close() {
      watchers.clear();
      drop();
    },
  };
};

/** An arbitrary number that all processes that migrate a store lock: "gw" and "st" as bytes. */
const migrationLock = 0x67777374;

export interface PostgresStoreOptions {
  /** The location shown to people, without user and password. */
  readonly where: string;
  readonly dialect: Dialect;
  readonly listener: Listener;
  /** Runs jobs in another thread; in this one if absent. */
  readonly jobs?: JobThread;
  /** Whether its tables are created or changed; true if absent. */
  readonly upgrade?: boolean | undefined;
}

/**
 * Opens a store in PostgreSQL, whatever the connection.
 *
 * @throws StoreError
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  const { where, dialect, listener, jobs, upgrade } = options;
  const db = new Kysely<Tables>({ dialect });
  try {
    await migrate({
      kind: 'postgres',
      where,
      migrations,
      upgrade,
      // A process that has waited for the lock must see what was done in the meantime.
      alone: (run) =>
        db
          .transaction()
          .setIsolationLevel('read committed')
          .execute(async (writing) => {
            await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(writing);
            await run(writing);
          }),
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const transact = transactIn(db, where);
  return toStore({
    kind: 'postgres',
    where,
    reader: db,
    transact,
    perform:
      jobs?.perform ??
      ((job, bytes) => runJob<Tables>(transact, { module: job.href, kind: 'postgres', bytes, database: db })),
    async announce(writing, feed) {
      await sql`select pg_notify(${channel}, ${feed})`.execute(writing);
    },
    watch: (run) => listener.watch(run),
    async backup() {
      throw new StoreError(`The store ${where} is in PostgreSQL, which makes its own backups. Use pg_dump.`);
    },
    async close() {
      await Promise.all([listener.close(), jobs?.end()]);
      await db.destroy();
    },
  });
};

export interface OpenPostgresOptions extends Pick<PostgresStoreOptions, 'where' | 'upgrade'> {
  readonly url: string;
  readonly timeouts: Partial<Timeouts>;
  /** Adds its jobs to a thread that the log uses too. If absent, they have a thread of their own. */
  readonly addJobs?: AddJobs | undefined;
}

/** @throws StoreError */
export const openPostgres = async (options: OpenPostgresOptions): Promise<Store> => {
  const { url, where, upgrade, addJobs = createJobThread() } = options;
  const pg = await importPg();
  const timeouts = { connect: 5000, statement: 10_000, ...options.timeouts };
  return openPostgresStore({
    where,
    upgrade,
    dialect: new PostgresDialect({ pool: openPool(pg, { url, where, timeouts }) }),
    jobs: addJobs({ url, where, timeouts, inTurn: true }),
    listener: createListener(() => new pg.Client(clientConfig(pg, url, timeouts))),
  });
};
