import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from '../store.ts';
import { isBusyCode } from './busy-code.ts';
import { createStatementCache } from './create-statement-cache.ts';
import type { ConnectionName, FileUse, Statement, StatementResult } from './messages.ts';
import { makePrivateFile } from './private-file.ts';
import { takeServingLock } from './serving-lock.ts';
import { type Connection, DatabaseSync } from './sqlite-module.ts';

/** As long as another process is waited for that writes, in milliseconds. */
export const busyTimeout = 5000;

/** A file of SQLite that is open. */
export interface OpenFile {
  run(statement: Statement): StatementResult;
  /** Undoes the transaction, if SQLite has not done so itself. */
  rollback(on: ConnectionName): void;
  close(): void;
}

const betweenAttemptsMs = 20;

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Of processes that change the mode of a new file at once, SQLite refuses all but one without any wait. */
const useWriteAheadLog = (writer: Connection): void => {
  const until = performance.now() + busyTimeout;
  for (;;) {
    try {
      writer.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (performance.now() >= until || !isBusyCode(error)) throw error;
      sleep(betweenAttemptsMs);
    }
  }
};

/**
 * Records of a log change pages all over its indexes. With 8 MB of them in memory, a transaction writes each once, and with
 * 8000 in the journal, most are copied to the file once for several transactions.
 */
const logPragmas = 'PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 8000';
const storePragmas = 'PRAGMA synchronous = FULL';

const openWriter = (file: string, isLog: boolean): Connection => {
  const writer = new DatabaseSync(file, { timeout: busyTimeout });
  try {
    // It takes effect in a file that has no page yet.
    if (isLog) writer.exec('PRAGMA auto_vacuum = INCREMENTAL');
    useWriteAheadLog(writer);
    writer.exec(isLog ? logPragmas : storePragmas);
    writer.exec('PRAGMA foreign_keys = ON');
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
};

/**
 * A store that was made before is never empty: its key would otherwise seal a new one, and nobody would notice that the old
 * one is gone.
 */
const refuseEmptied = (named: string, file: string): void => {
  const key = `${named}.key`;
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0 || !existsSync(key)) return;
  throw new StoreError(
    `The store ${named} is an empty file, and its key ${key} is there: what the store had is lost. Restore a backup of the store. To begin with a new one, move both files away.`,
  );
};

/** Opens a file, which is made if there is none, for its owner alone. */
export const openFile = (named: string, { serving, isLog = false }: FileUse): OpenFile => {
  // A link and what it leads to are one file, with one lock.
  const file = existsSync(named) ? realpathSync(named) : named;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new StoreError(
      `${file} is a folder, and a store is a file. Name a file in it, such as ${path.join(file, 'gateway.db')}.`,
    );
  const unlock = serving ? takeServingLock(file) : () => {};
  try {
    if (!isLog) refuseEmptied(named, file);
    makePrivateFile(file);
    const writer = openWriter(file, isLog);
    const reader = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
    const connections = { reader, writer } satisfies Record<ConnectionName, Connection>;
    const prepare = { reader: createStatementCache(reader), writer: createStatementCache(writer) };
    return {
      run({ on, sql, parameters, many = [parameters] }) {
        const { statement, hasRows } = prepare[on](sql);
        if (hasRows) return { rows: many.flatMap((each) => statement.all(...each)) };
        return { rows: [], changes: many.reduce((sum, each) => sum + Number(statement.run(...each).changes), 0) };
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
