import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SharedPools } from '../../kernel/pools/shared-pools.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import type { LogTables } from './log-columns.ts';

/** The parts that the routes of the log need. */
export interface LogParts {
  /** Throws a `StoreError` where the log could not be opened. */
  readonly store: () => LogStore;
  readonly settings: LogSettings;
  readonly sealer: Sealer;
  readonly pools: Pick<SharedPools, 'exports' | 'logReads'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Writes a list of integers in the place of a table, as one parameter of a statement that never changes. */
export const listedIntegers = (kind: LogStore['kind'], values: readonly number[]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(values)}))`
    : sql`(select unnest(cast(${values} as bigint[])))`;

/** Writes a list of texts in the same way. */
export const listedTexts = (kind: LogStore['kind'], values: readonly string[]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(values)}))`
    : sql`(select unnest(cast(${values} as text[])))`;

/** Any number, which whoever changes records locks: "gw" and "lw" as bytes. */
const writingLock = 0x67776c77;

/**
 * Waits until no other transaction changes records: numbers are given to records and to what they have in common, and of
 * what is deleted it is known that nobody uses it. A file has one writer anyway.
 */
export const takeTurn = async (writing: LogWriting, kind: LogStore['kind']): Promise<void> => {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(writingLock)})`.execute(writing);
};

/** A transaction of the log. */
export type LogWriting = Transaction<LogTables>;

/** Finds the largest number in a table; 0 if it is empty. */
export const lastNumber = async (
  writing: LogWriting,
  table: 'log_rows' | 'log_facts' | 'log_label_sets',
): Promise<number> => {
  const row = await writing.selectFrom(table).select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
  return row?.number ?? 0;
};

/** The part of what is kept that a journal may have. */
export const journalShare: number = 1 / 8;

/** The store of records of requests, apart from what the control plane needs to serve. */
export interface LogStore {
  readonly kind: Store['kind'];
  /** For reading. */
  readonly db: Kysely<LogTables>;
  /** Writes in one transaction. Rejects with a `StoreError` where the database cannot be reached, or is full. */
  write<Result>(run: (writing: LogWriting) => Promise<Result>): Promise<Result>;
  /** Runs a job, which a module exports as `job`, in one transaction, as `Store.perform` does. */
  readonly perform: Store['perform'];
  /** The bytes that its records take. */
  size(): Promise<number>;
  /** Bytes that its journal may take beside them; 0 where it has none of its own. */
  readonly journalBytes: number;
  /** The bytes of its files: with the journal, and with the space of what was deleted; 0 where it has none of its own. */
  fileBytes(): Promise<number>;
  /**
   * Gives a part of the space of what was deleted back to the system, and what the journal has too much, where the database
   * does not do so itself.
   */
  shrink(): Promise<void>;
  close(): Promise<void>;
}
