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
import type { ConnectionName } from './messages.ts';
import type { SqliteThread } from './sqlite-thread.ts';

type Asked = Pick<SqliteThread, 'ask'>;

type Many = readonly (readonly SQLInputValue[])[];

/** A statement with lists in the place of its parameters runs once for each of them. */
const isMany = (parameters: readonly unknown[]): parameters is Many => Array.isArray(parameters[0]);

class ThreadConnection implements DatabaseConnection {
  readonly #thread: Asked;
  readonly #on: ConnectionName;

  constructor(thread: Asked, on: ConnectionName) {
    this.#thread = thread;
    this.#on = on;
  }

  async executeQuery<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    const statement = { kind: 'run', on: this.#on, sql } as const;
    const result = await this.#thread.ask(
      isMany(parameters)
        ? { ...statement, parameters: [], many: parameters }
        : { ...statement, parameters: parameters as readonly SQLInputValue[] },
    );
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

/** One connection, which Kysely lends to one user at a time, as its adapter says: so transactions do not mix. */
class ThreadDriver implements Driver {
  readonly #connection: ThreadConnection;
  readonly #begin: string;

  constructor(thread: Asked, on: ConnectionName) {
    this.#connection = new ThreadConnection(thread, on);
    // What a transaction reads must hold when it writes: the writer has the file before it reads.
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

  /** It never rejects: the error for which it is called is what matters, and a file that fails has undone everything. */
  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.rollback().catch(() => {});
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** Kysely's way to a connection of the thread. */
export const threadDialect = (thread: Asked, on: ConnectionName): Dialect => ({
  createDriver: () => new ThreadDriver(thread, on),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
