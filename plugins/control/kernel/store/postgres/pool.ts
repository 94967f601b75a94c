import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { ClientConfig, PoolClient } from 'pg';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { settledWithin } from '../settled-within.ts';
import { StoreError } from '../store.ts';
import { toStoreError } from './pg-error.ts';

type Pg = typeof import('pg')['default'];

/**
 * The client of PostgreSQL, which is installed where it is wanted.
 *
 * @throws StoreError if it is not installed
 */
export const importPg = async (): Promise<Pg> => {
  try {
    return (await import('pg')).default;
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND' || !String(error).includes("'pg'")) throw error;
    throw new StoreError('A store in PostgreSQL needs the package pg, which is not installed. Run: npm install pg');
  }
};

export interface Timeouts {
  /** Milliseconds. */
  readonly connect: number;
  /** Milliseconds. */
  readonly statement: number;
}

/** As many as the store itself has. */
const defaultConnections = 10;

/** As much longer than the server waits for a statement, in milliseconds, so that the server can say so. */
const margin = 500;

/** Types of PostgreSQL that are integers here: int8, and numeric, which sums of those are. */
const integerTypes: readonly number[] = [20, 1700];

const toInteger = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`The store holds the integer ${text}, which is too large.`);
  return value;
};

export const clientConfig = (pg: Pg, url: string, { connect, statement }: Timeouts): ClientConfig => ({
  connectionString: url,
  application_name: 'gatewright',
  connectionTimeoutMillis: connect,
  statement_timeout: statement,
  idle_in_transaction_session_timeout: 3 * statement,
  query_timeout: statement + margin,
  keepAlive: true,
  types: {
    getTypeParser: (type: number, format?: 'text' | 'binary') =>
      integerTypes.includes(type) && format !== 'binary' ? toInteger : pg.types.getTypeParser(type, format),
  },
});

/** A connection that has failed once is not asked again: what it says would belong to an earlier question. */
const guarded = (client: PoolClient, where: string): PostgresPoolClient => {
  let failure: StoreError | undefined;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (failure !== undefined) throw failure;
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      const known = toStoreError(error, where);
      if (known instanceof StoreError) failure = known;
      throw known;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || failure !== undefined),
  };
};

export interface PoolOptions {
  readonly url: string;
  readonly where: string;
  readonly timeouts: Timeouts;
  /** The most connections. */
  readonly connections?: number;
}

/** Connections whose failures are `StoreError`s, and end no process. */
export const openPool = (
  pg: Pg,
  { url, where, timeouts, connections = defaultConnections }: PoolOptions,
): PostgresPool => {
  const pool = new pg.Pool({ ...clientConfig(pg, url, timeouts), max: connections });
  const ignore = (): void => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return {
    options: {},
    async connect() {
      try {
        return guarded(await pool.connect(), where);
      } catch (error) {
        throw toStoreError(error, where);
      }
    },
    end: () => settledWithin([pool.end()], timeouts.connect),
  };
};
