import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ownModule } from '../../../../sdk/loading/own-module.ts';
import { runJob } from '../job.ts';
import { createRequestThread, type RequestThread } from '../request-thread.ts';
import type { Store } from '../store.ts';
import { fromFailure } from '../thread-failure.ts';
import { toFailure } from './failure.ts';

/** The connections to a file. Reads see what is committed, whatever an open transaction of the writer has done so far. */
export type ConnectionName = 'reader' | 'writer';

export interface Statement {
  readonly kind: 'run';
  readonly on: ConnectionName;
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
  /** Parameters for each of several runs. For a single run, they are in `parameters`. */
  readonly many?: readonly (readonly SQLInputValue[])[];
}

/** How a file is opened. */
export interface FileUse {
  /** Whether this process serves the file. */
  readonly serving: boolean;
  /** Whether it may lose its last writes if the machine fails, and releases the space of deleted rows. */
  readonly isLog?: boolean;
}

/** A question to the thread of SQLite. */
export type Question =
  | ({ readonly kind: 'open'; readonly file: string } & FileUse)
  | Statement
  | { readonly kind: 'rollback'; readonly on: ConnectionName }
  /** Runs a job of a module in a transaction of the writer, while nothing else uses that connection. */
  | { readonly kind: 'perform'; readonly job: string; readonly bytes: Uint8Array }
  | { readonly kind: 'copy'; readonly file: string; readonly to: string }
  | { readonly kind: 'close' };

export interface StatementResult {
  readonly rows: readonly unknown[];
  /** The number of rows that were written; absent for statements that return rows. */
  readonly changes?: number;
}

/** An open SQLite file. */
export interface OpenFile {
  /** Runs a statement. Outside of a transaction, waits a while for a process that has the file locked. */
  run(statement: Statement): StatementResult | Promise<StatementResult>;
  /** Rolls back the transaction, unless SQLite has done so itself. */
  rollback(on: ConnectionName): void;
  close(): void;
}

/** The thread in which SQLite runs, as it is used for one file. */
export type SqliteThread = RequestThread<Question, StatementResult | undefined>;

const module = ownModule('plugins/control/kernel/store/sqlite/worker');

/**
 * Creates a thread for SQLite files, which starts with the first file and ends with the last. Returns a function that adds a file;
 * `where` is its location, to show to people.
 */
export const createSqliteThread = (): ((where: string) => SqliteThread) => {
  const addUser = createRequestThread<Question, StatementResult | undefined>(module, 'gatewright-store');
  return (where) =>
    addUser((error) =>
      error === undefined
        ? `The store ${where} is closed.`
        : `The store ${where} has failed: ${error.message}. Start this program again.`,
    );
};

/** Starts a thread for one SQLite file. */
export const startSqliteThread = (where: string): SqliteThread => createSqliteThread()(where);

/** Runs jobs in the thread of a file. While a caller has the connection of `writer`, nobody else writes. */
export const performInThread =
  <Schema>(thread: SqliteThread, writer: Kysely<Schema>): Store['perform'] =>
  (job, bytes) =>
    writer.connection().execute(async () => {
      await thread.ask({ kind: 'perform', job: job.href, bytes });
    });

type Asked = Pick<SqliteThread, 'ask'>;

/** Whether a statement has lists as its parameters, so that it runs once for each of them. */
const isMany = (parameters: readonly unknown[]): parameters is readonly (readonly SQLInputValue[])[] =>
  Array.isArray(parameters[0]);

class ThreadConnection implements DatabaseConnection {
  readonly #thread: Asked;
  readonly #on: ConnectionName;

  constructor(thread: Asked, on: ConnectionName) {
    this.#thread = thread;
    this.#on = on;
  }

  async executeQuery<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    const statement = { kind: 'run', on: this.#on, sql } as const;
    const { rows = [], changes } =
      (await this.#thread.ask(
        isMany(parameters)
          ? { ...statement, parameters: [], many: parameters }
          : { ...statement, parameters: parameters as readonly SQLInputValue[] },
      )) ?? {};
    return { rows: rows as Row[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
  }

  async rollback(): Promise<void> {
    await this.#thread.ask({ kind: 'rollback', on: this.#on });
  }

  // biome-ignore lint/correctness/useYield: it always throws
  async *streamQuery(): AsyncGenerator<never> {
    throw new TypeError('The store returns complete results and does not support streams.');
  }
}

/** One connection, which Kysely lends to one user at a time, as its adapter declares, so that transactions do not mix. */
class ThreadDriver implements Driver {
  readonly #connection: ThreadConnection;
  readonly #begin: string;

  constructor(thread: Asked, on: ConnectionName) {
    this.#connection = new ThreadConnection(thread, on);
    // What a transaction reads must still be true when it writes, so the writer locks the file before it reads.
    this.#begin = on === 'writer' ? 'begin immediate' : 'begin';
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    return this.#connection;
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    await connection.executeQuery({ sql: this.#begin, parameters: [] });
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.executeQuery({ sql: 'commit', parameters: [] });
  }

  /** Never rejects: the original error is what matters, and a file that fails has rolled back everything. */
  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.rollback().catch(() => {});
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** Connects Kysely to a connection of the thread. */
export const threadDialect = (thread: Asked, on: ConnectionName): Dialect => ({
  createDriver: () => new ThreadDriver(thread, on),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

/** Asks and answers synchronously once a transaction has begun, so that nothing runs between the statements of a job. */
const askHere =
  (file: OpenFile, concerned: string): SqliteThread['ask'] =>
  async (question): Promise<StatementResult | undefined> => {
    try {
      if (question.kind === 'run') return await file.run(question);
      if (question.kind === 'rollback') file.rollback(question.on);
      return undefined;
    } catch (error) {
      throw fromFailure(toFailure(error, concerned));
    }
  };

/**
 * Runs the job of the module with the URL `job` in a transaction of a file that this thread has open. `concerned` is the file's
 * name in messages.
 */
export const performHere = async (
  file: OpenFile,
  { job, bytes, concerned }: { readonly job: string; readonly bytes: Uint8Array; readonly concerned: string },
): Promise<void> => {
  const writer = new Kysely<never>({ dialect: threadDialect({ ask: askHere(file, concerned) }, 'writer') });
  await runJob<never>((run) => writer.transaction().execute(run), {
    ...{ module: job, kind: 'sqlite', bytes, database: file },
  });
};
