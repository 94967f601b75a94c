import { type Dialect, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type { Client } from 'pg';
import { runJob } from '../job.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { type OlderStore, type Store, StoreError } from '../store.ts';
import type { Tables } from '../tables.ts';
import { toStore } from '../to-store.ts';
import { type ConnectReason, encodingReason, schemaReason } from './connect-reasons.ts';
import {
  type AddJobs,
  clientConfig,
  createJobThread,
  findSqlState,
  importPg,
  type JobThread,
  openPool,
  retried,
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

/** lock_not_available: a table is still in use when `lock_timeout` is over. */
const inUse = '55P03';

/** invalid_schema_name: there is no schema in which a table would be created. */
const noSchema = '3F000';

/** The longest that a statement of a migration may take, and that a process waits for another one that migrates. */
const migrationMs = 600_000;

/** How the tables are created or brought up to date. */
export interface Migrating {
  /** Connections whose statements may take as long as those of a migration do. */
  readonly dialect: Dialect;
  /** The longest wait for a table that other connections use. Whoever uses it meanwhile waits as long. */
  readonly tableMs: number;
}

/** After how long a process reports that it waits for another one that migrates, in milliseconds. */
const reportAfterMs = 1000;

/** Waits until no other process migrates the store, and reports that it waits. */
const lockMigrations = async (
  writing: Transaction<Tables>,
  { where, say = () => {} }: Pick<PostgresStoreOptions, 'where' | 'say'>,
): Promise<void> => {
  const minutes = migrationMs / 60_000;
  const waiting = `gw: Another process creates the tables of the store ${where} or brings them up to date. This one waits for it, for ${minutes} minutes at most; pg_stat_activity shows what it does.\n`;
  const timer = setTimeout(() => say(waiting), reportAfterMs);
  try {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(writing);
  } finally {
    clearTimeout(timer);
  }
};

const uncreatable = (where: string, { what, remedy }: ConnectReason, cause?: unknown): StoreError =>
  new StoreError(`The tables of the store ${where} cannot be created: ${what} ${remedy}`, { cause });

/** Refuses an empty database in which not every text can be saved, and reports one that has a store. */
const checkEncoding = async (
  writing: Transaction<Tables>,
  isEmpty: boolean,
  { where, say }: Pick<PostgresStoreOptions, 'where' | 'say'>,
): Promise<void> => {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(
    writing,
  );
  const { encoding = 'UTF8' } = rows[0] ?? {};
  if (encoding === 'UTF8') return;
  const reason = encodingReason(encoding, { hasStore: !isEmpty });
  if (isEmpty) throw uncreatable(where, reason);
  say?.(`gw: The store ${where}: ${reason.what} ${reason.remedy}\n`);
};

/** Runs migrations, alone among all processes, and again if other transactions interfered. */
const runMigrations = async ({
  where,
  older,
  say,
  migrating,
}: Pick<PostgresStoreOptions, 'where' | 'older' | 'say'> & { readonly migrating: Migrating }): Promise<void> => {
  const db = new Kysely<Tables>({ dialect: migrating.dialect });
  try {
    await migrate({
      kind: 'postgres',
      where,
      migrations,
      older,
      say,
      check: (writing, isEmpty) => checkEncoding(writing, isEmpty, { where, say }),
      // A process that has waited for the lock must see what was done in the meantime.
      alone: (run) =>
        retried(where, () =>
          db
            .transaction()
            .setIsolationLevel('read committed')
            .execute(async (writing) => {
              await lockMigrations(writing, { where, say });
              await sql`set local lock_timeout = ${sql.lit(migrating.tableMs)}`.execute(writing);
              await run(writing);
            }),
        ),
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const state = findSqlState(error.cause);
    if (state === noSchema) throw uncreatable(where, schemaReason, error);
    if (state !== inUse) throw error;
    throw new StoreError(
      `The tables of the store ${where} cannot be brought up to date, because another connection, such as one of pg_dump, has been using them for too long. Start again when it has ended.`,
      { cause: error },
    );
  } finally {
    await db.destroy();
  }
};

export interface PostgresStoreOptions {
  /** The location shown to people, without user and password. */
  readonly where: string;
  readonly dialect: Dialect;
  readonly listener: Listener;
  /** Runs jobs in another thread; in this one if absent. */
  readonly jobs?: JobThread;
  /** `upgrade` if absent. */
  readonly older?: OlderStore | undefined;
  /** Notified of what takes long, as sentences for the operator. */
  readonly say?: ((text: string) => void) | undefined;
  readonly migrating?: Migrating;
}

/**
 * Opens a store in PostgreSQL, whatever the connection.
 *
 * @throws StoreError
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  const { where, dialect, listener, jobs, older, say, migrating = { dialect, tableMs: 0 } } = options;
  await runMigrations({ where, older, say, migrating });
  const db = new Kysely<Tables>({ dialect });
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

export interface OpenPostgresOptions extends Pick<PostgresStoreOptions, 'where' | 'older' | 'say'> {
  readonly url: string;
  readonly timeouts: Partial<Timeouts>;
  /** Adds its jobs to a thread that the log uses too. If absent, they have a thread of their own. */
  readonly addJobs?: AddJobs | undefined;
}

/** @throws StoreError */
export const openPostgres = async (options: OpenPostgresOptions): Promise<Store> => {
  const { url, where, older, say, addJobs = createJobThread() } = options;
  const pg = await importPg();
  const timeouts = { connect: 5000, statement: 10_000, ...options.timeouts };
  const toDialect = (of: Timeouts, connections?: number): Dialect =>
    new PostgresDialect({ pool: openPool(pg, { url, where, timeouts: of, connections }) });
  return openPostgresStore({
    where,
    older,
    say,
    dialect: toDialect(timeouts),
    migrating: {
      dialect: toDialect({ ...timeouts, statement: migrationMs, idle: 3 * timeouts.statement }, 1),
      // The statements of gateways that serve do not time out behind it.
      tableMs: timeouts.statement / 2,
    },
    jobs: addJobs({ url, where, timeouts, inTurn: true }),
    listener: createListener(() => new pg.Client(clientConfig(pg, url, timeouts))),
  });
};
