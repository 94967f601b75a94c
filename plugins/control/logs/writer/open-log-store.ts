import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { migrate } from '../../kernel/store/migrations/migrate.ts';
import { readStoreUrl } from '../../kernel/store/open/open-store.ts';
import {
  type AddJobs,
  createJobThread,
  importPg,
  openPool,
  type PoolOptions,
  transactAtOnce,
} from '../../kernel/store/postgres/pool.ts';
import {
  performInThread,
  type SqliteThread,
  startSqliteThread,
  threadDialect,
} from '../../kernel/store/sqlite/sqlite-thread.ts';
import { writesInTurn } from '../../kernel/store/sqlite/writes-in-turn.ts';
import { readsOnly } from '../../kernel/store/to-store.ts';
import { logMigrations, logMigrationsTable } from './log-migrations.ts';
import { journalShare, type LogStore, type LogTables, type LogWriting } from './log-store.ts';

/** Returns the file of a store's log, which is beside the store: `gateway-log.db` for `gateway.db`. */
export const toLogFile = (storeFile: string): string => {
  const { dir, name, ext } = path.parse(storeFile);
  return path.join(dir, `${name}-log${ext === '' ? '.db' : ext}`);
};

/** How much space is returned at once, in pages of 4 KB. */
const pagesAtOnce = 2000;
const logTables = { what: 'log', migrations: logMigrations, table: logMigrationsTable } as const;
/** An arbitrary lock number for processes that migrate a log: "gw" and "lg" as bytes. */
const migrationLock = 0x67776c67;
const timeouts = { connect: 2000, statement: 5000 };
const connections = 4;

/** In bytes: those of SQLite's pages, and how much of them the journal may have. */
const pageBytes = 4096;
const maxJournalBytes = 8000 * pageBytes;
const minJournalBytes = 64 * pageBytes;

const openFileLog = async (file: string, keepBytes: number, thread: SqliteThread): Promise<LogStore> => {
  const writer = new Kysely<LogTables>({ dialect: threadDialect(thread, 'writer') });
  const inTurn = writesInTurn();
  const write: LogStore['write'] = (run) => inTurn(() => writer.transaction().execute(run));
  const perform = performInThread(thread, writer);
  const pragma = async (name: string): Promise<number> => {
    const result = await thread.ask({ kind: 'run', on: 'writer', sql: `pragma ${name}`, parameters: [] });
    return Number(Object.values(result?.rows[0] ?? { none: 0 })[0]);
  };
  const journalBytes = Math.floor(Math.min(maxJournalBytes, Math.max(minJournalBytes, keepBytes * journalShare)));
  const measureSize = (end: '' | '-wal' | '-shm'): number =>
    statSync(realpathSync(file) + end, { throwIfNoEntry: false })?.size ?? 0;
  try {
    await thread.ask({ kind: 'open', file, serving: true, isLog: true });
    // SQLite writes the journal to the file when it has reached this part of its size.
    await pragma(`wal_autocheckpoint = ${Math.floor(journalBytes / pageBytes)}`);
    await pragma(`journal_size_limit = ${journalBytes}`);
    await migrate({ ...logTables, kind: 'sqlite', where: file, alone: write });
  } catch (error) {
    await thread.end();
    throw error;
  }
  return {
    kind: 'sqlite',
    db: new Kysely<LogTables>({ dialect: threadDialect(thread, 'reader') }).withPlugin(readsOnly),
    write,
    perform: (job, bytes) => inTurn(() => perform(job, bytes)),
    size: async () => ((await pragma('page_count')) - (await pragma('freelist_count'))) * (await pragma('page_size')),
    journalBytes,
    fileBytes: async () => measureSize('') + measureSize('-wal') + measureSize('-shm'),
    async shrink() {
      const free = await pragma('freelist_count');
      if (free === 0 && measureSize('-wal') <= journalBytes) return;
      await pragma(`incremental_vacuum(${Math.min(pagesAtOnce, Math.floor(journalBytes / pageBytes))})`);
      // Only this shortens the file itself.
      await pragma('wal_checkpoint(TRUNCATE)');
    },
    close: () => thread.end(),
  };
};

const openPostgresLog = async (options: Pick<PoolOptions, 'url' | 'where'>, addJobs: AddJobs): Promise<LogStore> => {
  const { where } = options;
  const { PostgresDialect } = await import('kysely');
  const pool = openPool(await importPg(), { ...options, timeouts, connections });
  const db = new Kysely<LogTables>({ dialect: new PostgresDialect({ pool }) });
  const jobs = addJobs({ ...options, timeouts, inTurn: false });
  const write: LogStore['write'] = transactAtOnce(db);
  try {
    await migrate({
      ...logTables,
      kind: 'postgres',
      where,
      alone: (run) =>
        write(async (writing: LogWriting) => {
          await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(writing);
          await run(writing);
        }),
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const reader = db.withPlugin(readsOnly);
  return {
    kind: 'postgres',
    db: reader,
    write,
    perform: jobs.perform,
    size: async () => {
      const row = await reader.selectFrom('log_totals').select('value').where('name', '=', 'bytes').executeTakeFirst();
      return row?.value ?? 0;
    },
    journalBytes: 0,
    fileBytes: async () => 0,
    // The tables reuse the space.
    shrink: async () => {},
    async close() {
      await jobs.end();
      await db.destroy();
    },
  };
};

export interface OpenLogStoreOptions {
  /** Its intended size in bytes, which determines the size of its journal. */
  readonly keepBytes?: number;
  /** The thread that its file shares with the store. If absent, it has a thread of its own. */
  readonly thread?: SqliteThread | undefined;
  /** Adds jobs of PostgreSQL to a thread that the store uses too. If absent, they have a thread of their own. */
  readonly addJobs?: AddJobs | undefined;
}

/**
 * Opens the log of a store. Beside a SQLite file it is a separate file; in PostgreSQL it is tables of the same database, on
 * separate connections. It loses at most the last second if its machine fails.
 *
 * @throws StoreError
 */
export const openLogStore = async (
  url: string,
  { keepBytes = Number.POSITIVE_INFINITY, thread, addJobs = createJobThread() }: OpenLogStoreOptions = {},
): Promise<LogStore> => {
  const at = readStoreUrl(url);
  if (at.kind === 'postgres') return openPostgresLog({ url: at.url, where: at.where }, addJobs);
  const file = toLogFile(at.file);
  return openFileLog(file, keepBytes, thread ?? startSqliteThread(file));
};
