import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { inTurn } from './in-turn.ts';
import type { ConnectionName } from './messages.ts';
import type { SqliteThread } from './sqlite-thread.ts';

/** A user of a connection; it is one user's at a time, so that transactions do not mix. */
class ThreadConnection implements DatabaseConnection {
  readonly #thread: SqliteThread;
  readonly #on: ConnectionName;
  readonly release: () => void;

  constructor(thread: SqliteThread, on: ConnectionName, release: () => void) {
    this.#thread = thread;
    this.#on = on;
    this.release = release;
  }

  async executeQuery<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    const given = parameters as readonly SQLInputValue[];
    const result = await this.#thread.ask({ kind: 'run', on: this.#on, sql, parameters: given });
    const { rows = [], changes } = result ?? {};
    return { rows: rows as Row[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
  }

  async rollback(): Promise<void> {
    await this.#thread.ask({ kind: 'rollback', on: this.#on });
  }

  // biome-ignore lint/correctness/useYield: it always throws
  async *streamQuery(): AsyncGenerator<never> {
    throw new TypeError('The store answers whole results, no streams.');
  }
}

class ThreadDriver implements Driver {
  readonly #thread: SqliteThread;
  readonly #on: ConnectionName;
  readonly #turns = inTurn();

  constructor(thread: SqliteThread, on: ConnectionName) {
    this.#thread = thread;
    this.#on = on;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    return new ThreadConnection(this.#thread, this.#on, await this.#turns.take());
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    // What a transaction reads must hold when it writes: the writer has the file before it reads.
    const sql = this.#on === 'writer' ? 'begin immediate' : 'begin';
    await connection.executeQuery({ sql, parameters: [] });
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.executeQuery({ sql: 'commit', parameters: [] });
  }

  /** It never rejects: the error for which it is called is what matters, and a file that fails has undone everything. */
  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.rollback().catch(() => {});
  }

  async releaseConnection(connection: ThreadConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {}
}

/** Kysely's way to a connection of the thread. */
export const threadDialect = (thread: SqliteThread, on: ConnectionName): Dialect => ({
  createDriver: () => new ThreadDriver(thread, on),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
