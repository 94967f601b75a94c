/** The thread in which all of SQLite runs, because its calls block. */

import { existsSync, linkSync, rmSync, statSync } from 'node:fs';
import type { StatementSync } from 'node:sqlite';
import { type Answerer, answerQuestions } from '../answer-questions.ts';
import { StoreError } from '../store.ts';
import { assertWritable, toFailure } from './failure.ts';
import { createMoveGuard } from './move-guard.ts';
import { type Connection, DatabaseSync, makePrivateFile, takeServingLock } from './process-lock.ts';
import type { ConnectionName, FileUse, OpenFile, Question, Statement, StatementResult } from './sqlite-thread.ts';
import { findStoreFile } from './store-file.ts';
import { createTruncationGuard } from './truncation-guard.ts';
import { busyTimeout, whenFree } from './when-free.ts';

interface CachedStatement {
  readonly statement: StatementSync;
  /** Whether it returns rows, rather than only the number of changes. */
  readonly hasRows: boolean;
}

/** The maximum number of statements that are kept for a connection. All of them are then dropped together. */
const maxStatements = 100;

/** The maximum length of a text that is kept, in characters. Longer ones contain lists of values and rarely repeat. */
const longestText = 10_000;

/**
 * Prepares the statements of a connection, and keeps those that repeat. SQLite itself prepares them again if a table has changed.
 */
const createStatementCache = (connection: Connection): ((sql: string) => CachedStatement) => {
  const known = new Map<string, CachedStatement>();
  return (sql) => {
    const before = known.get(sql);
    if (before !== undefined) return before;
    const statement = connection.prepare(sql);
    // Some pragmas do their work when they are prepared, or step by step, as if they returned rows.
    const isPragma = /^pragma /i.test(sql);
    const prepared = { statement, hasRows: isPragma || statement.columns().length > 0 };
    if (isPragma || sql.length > longestText) return prepared;
    if (known.size >= maxStatements) known.clear();
    known.set(sql, prepared);
    return prepared;
  };
};

/**
 * The records of a log change pages all over its indexes. With 8 MB of pages in memory, a transaction writes each page once; with
 * 8000 pages in the journal, most are copied to the file once for several transactions.
 */
const logPragmas = 'PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 8000';

const openWriter = async (file: string, isLog: boolean): Promise<Connection> => {
  const writer = new DatabaseSync(file, { timeout: 0 });
  try {
    // Takes effect only in a file that has no page yet.
    if (isLog) await whenFree(() => writer.exec('PRAGMA auto_vacuum = INCREMENTAL'));
    await whenFree(() => writer.exec('PRAGMA journal_mode = WAL'));
    writer.exec(isLog ? logPragmas : 'PRAGMA synchronous = FULL');
    writer.exec('PRAGMA foreign_keys = ON');
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
};

/**
 * Refuses to open a store that was emptied. A store that was created before is never empty: otherwise its key would seal a new
 * one, and nobody would notice that the old one is gone.
 */
const refuseEmptied = (named: string, file: string): void => {
  const key = `${named}.key`;
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0 || !existsSync(key)) return;
  throw new StoreError(
    `The store ${named} is an empty file, but its key ${key} exists: the contents of the store are lost. Restore a backup of the store. To start with a new one, move both files away.`,
  );
};

/** Opens a file. If there is none, creates one that only its owner can access. */
const openFile = async (named: string, { serving, isLog = false }: FileUse): Promise<OpenFile> => {
  const file = findStoreFile(named, { isLog });
  const lock = serving ? takeServingLock(file) : undefined;
  const opened: Connection[] = [];
  const truncation = createTruncationGuard(file);
  const close = (): void => {
    if (opened.every(({ isTransaction }) => !isTransaction)) truncation.extendIndex();
    for (const connection of opened.toReversed()) connection.close();
    truncation.close();
    lock?.release();
  };
  try {
    if (!isLog) refuseEmptied(named, file);
    makePrivateFile(file);
    const writer = await openWriter(file, isLog);
    opened.push(writer);
    if (serving) assertWritable(file);
    const reader = new DatabaseSync(file, { timeout: 0, readOnly: true });
    opened.push(reader);
    const connections = { reader, writer } satisfies Record<ConnectionName, Connection>;
    const refuseMoved = createMoveGuard(file);
    const prepare = { reader: createStatementCache(reader), writer: createStatementCache(writer) };
    const run = (statement: Statement): StatementResult => {
      const { on, sql, parameters, many = [parameters] } = statement;
      // Within a transaction, SQLite would not notice that the content is gone, and would leave it incomplete.
      if (!writer.isTransaction && !reader.isTransaction) truncation.extendIndex();
      if (on === 'writer' && !writer.isTransaction) {
        refuseMoved();
        truncation.refuseTruncated();
        lock?.keep();
      }
      const { statement: prepared, hasRows } = prepare[on](sql);
      if (hasRows) return { rows: many.flatMap((each) => prepared.all(...each)) };
      return { rows: [], changes: many.reduce((sum, each) => sum + Number(prepared.run(...each).changes), 0) };
    };
    return {
      // Locks are taken when a transaction begins.
      run: (statement) => (connections[statement.on].isTransaction ? run(statement) : whenFree(() => run(statement))),
      rollback(on) {
        if (connections[on].isTransaction) connections[on].exec('ROLLBACK');
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

/** Removes the keys that open secrets. Nothing of them remains in the pages of the copy, or in a journal next to it. */
const removeKeys = `
  PRAGMA journal_mode = MEMORY;
  PRAGMA secure_delete = ON;
  DELETE FROM data_keys;
  DELETE FROM canary;
  VACUUM;
`;

const copyInto = (file: string, to: string): void => {
  const source = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec(removeKeys);
  } finally {
    copy.close();
  }
};

const refuseExisting = (to: string): never => {
  throw new StoreError(`The file ${to} already exists, and a backup does not overwrite files. Name another file.`);
};

/**
 * Writes a copy of a file that others may be writing to, without the keys that secrets are sealed with. The copy gets its name
 * only when it is complete.
 *
 * @throws StoreError if a file of that name exists
 */
const copyFile = (file: string, to: string): void => {
  if (existsSync(to)) refuseExisting(to);
  const partial = `${to}.${process.pid}-${Date.now()}.partial`;
  makePrivateFile(partial);
  try {
    copyInto(file, partial);
    linkSync(partial, to);
  } catch (error) {
    if (existsSync(to)) refuseExisting(to);
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
};

/** Answers the questions about one file. Those that write are answered in their order, even if one waits for another process. */
const createAnswerer = (): Answerer<Question, StatementResult | undefined> => {
  let opened: OpenFile | undefined;
  let concerned = '';
  let last: Promise<unknown> = Promise.resolve();

  const file = (): OpenFile => {
    if (opened === undefined) throw new StoreError('The store is not open.');
    return opened;
  };
  const inTurn = <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
    const mine = last.then(run);
    last = mine.catch(() => {});
    return mine;
  };

  const answer = async (question: Question): Promise<StatementResult | undefined> => {
    switch (question.kind) {
      case 'open':
        concerned = question.file;
        opened = await openFile(question.file, question);
        return undefined;
      case 'run':
        return question.on === 'reader' ? file().run(question) : inTurn(() => file().run(question));
      case 'rollback':
        await inTurn(() => file().rollback(question.on));
        return undefined;
      case 'perform':
        await inTurn(async () => {
          // Most threads have no job to run.
          const { performHere } = await import('./sqlite-thread.ts');
          await performHere(file(), { ...question, concerned });
        });
        return undefined;
      case 'copy':
        concerned = question.to;
        copyFile(question.file, question.to);
        return undefined;
      case 'close':
        await inTurn(() => opened?.close());
        opened = undefined;
        return undefined;
    }
  };

  return { answer, toFailure: (error) => toFailure(error, concerned) };
};

answerQuestions(createAnswerer);
