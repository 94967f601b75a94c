import { existsSync, realpathSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import type { ConnectionName, StatementResult } from './messages.ts';
import { makePrivateFile } from './private-file.ts';
import { takeServingLock } from './serving-lock.ts';
import { type Connection, DatabaseSync } from './sqlite-module.ts';

/** As long as another process is waited for that writes, in milliseconds. */
export const busyTimeout = 5000;

/** A file of SQLite that is open. */
export interface OpenFile {
  run(on: ConnectionName, sql: string, parameters: readonly SQLInputValue[]): StatementResult;
  /** Undoes the transaction, if SQLite has not done so itself. */
  rollback(on: ConnectionName): void;
  close(): void;
}

const openWriter = (file: string): Connection => {
  const writer = new DatabaseSync(file, { timeout: busyTimeout });
  try {
    writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
};

/** Opens a file, which is made if there is none, for its owner alone. */
export const openFile = (named: string, { serving }: { readonly serving: boolean }): OpenFile => {
  // A link and what it leads to are one file, with one lock.
  const file = existsSync(named) ? realpathSync(named) : named;
  const unlock = serving ? takeServingLock(file) : () => {};
  try {
    makePrivateFile(file);
    const writer = openWriter(file);
    const reader = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
    const connections = { reader, writer } satisfies Record<ConnectionName, Connection>;
    return {
      run(on, sql, parameters) {
        const statement = connections[on].prepare(sql);
        if (statement.columns().length > 0) return { rows: statement.all(...parameters) };
        return { rows: [], changes: Number(statement.run(...parameters).changes) };
      },
      rollback(on) {
        if (connections[on].isTransaction) connections[on].exec('ROLLBACK');
      },
      close() {
        reader.close();
        writer.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
};
