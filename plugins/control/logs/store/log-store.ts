import type { Kysely, Transaction } from 'kysely';
import type { Store } from '../../kernel/store/store.ts';
import type { LogTables } from './log-columns.ts';

/** A transaction of the log. */
export type LogWriting = Transaction<LogTables>;

/** The part of what is kept that a journal may have. */
export const journalShare: number = 1 / 8;

/** Where records of requests are kept, apart from what the control plane needs to serve. */
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
