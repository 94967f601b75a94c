import { setTimeout } from 'node:timers/promises';
import { type Kysely, type PostgresPool, type PostgresPoolClient, sql, type Transaction } from 'kysely';
import type { ClientConfig, PoolClient } from 'pg';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import { ownModule } from '../../../../sdk/loading/own-module.ts';
import { createRequestThread, type RequestThread } from '../request-thread.ts';
import { type Store, StoreError } from '../store.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { type ConnectReason, clientReasons, connectReasons, defaultRemedy, tlsReason } from './connect-reasons.ts';

/**
 * Classes of SQLSTATE that mean that the database cannot be used now: the connection, who may connect and to what, resources,
 * what others have locked, operator intervention, the system, and faults of the server itself
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const awayClasses: readonly string[] = ['08', '28', '3D', '53', '55', '57', '58', 'XX'];

/**
 * The same of classes that are otherwise about statements: a server that only answers reads (0A000 for the isolation level of
 * writes), and missing rights and tables.
 */
const awayStates: readonly string[] = ['0A000', '25006', '42501', '42P01'];

export const findSqlState = (error: unknown): string | undefined => {
  const code = errorCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

const isOfStatement = (error: unknown): boolean => {
  const state = findSqlState(error);
  if (state !== undefined) return !awayClasses.includes(state.slice(0, 2)) && !awayStates.includes(state);
  return error instanceof TypeError || error instanceof RangeError;
};

/** Returns the message of an error. If several addresses of a host fail together, the error as a whole has no message. */
const readMessage = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(readMessage).join('; ') : errorText(error);

/** The codes of Node for certificates, and the messages of pg about TLS and about a file of certificates that it cannot open. */
const tlsTrouble = /CERT|SIGNATURE|ERR_(?:TLS|SSL)|SSL connections?\b|, open '/;

const findClientReason = (error: unknown): ConnectReason | undefined => {
  const message = readMessage(error);
  return clientReasons.find(([known]) => known.test(message))?.[1];
};

/** Returns why a connection or a statement is refused, and what to do; undefined if the error does not say. */
export const findConnectReason = (error: unknown): ConnectReason | undefined => {
  const state = findSqlState(error);
  if (state !== undefined) return connectReasons[state];
  const isOfTls = (): boolean => tlsTrouble.test(`${errorCode(error)} ${readMessage(error)}`);
  return findClientReason(error) ?? (isOfTls() ? tlsReason : undefined);
};

/** Converts an error of PostgreSQL. An error of a statement stays as it is; an error of the server becomes a `StoreError`. */
const toStoreError = (error: unknown, where: string): unknown => {
  if (error instanceof StoreError || isOfStatement(error)) return error;
  const ofClient = findClientReason(error);
  const { remedy = defaultRemedy } = ofClient ?? findConnectReason(error) ?? {};
  // The server's own messages are more exact than the reason. Those of its client are about the client.
  const what = ofClient?.what ?? `${readMessage(error)}.`;
  return new StoreError(`The store ${where} cannot be used: ${what} ${remedy}`, { cause: error });
};

type Pg = typeof import('pg')['default'];

/**
 * Imports the client of PostgreSQL, which is installed only if needed.
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
  /** The longest pause in a transaction, in milliseconds; three times as long as a statement if absent. */
  readonly idle?: number;
}

/** Types of PostgreSQL that are integers here: int8, and numeric, which is the type of their sums. */
const integerTypes: readonly number[] = [20, 1700];

const toInteger = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`The store holds the integer ${text}, which is too large.`);
  return value;
};

export const clientConfig = (pg: Pg, url: string, { connect, statement, idle }: Timeouts): ClientConfig => ({
  connectionString: url,
  application_name: 'gatewright',
  connectionTimeoutMillis: connect,
  statement_timeout: statement,
  idle_in_transaction_session_timeout: idle ?? 3 * statement,
  // Longer than the server's own time-out for a statement, so that the server can report it first.
  query_timeout: statement + 500,
  keepAlive: true,
  types: {
    getTypeParser: (type: number, format?: 'text' | 'binary') =>
      integerTypes.includes(type) && format !== 'binary' ? toInteger : pg.types.getTypeParser(type, format),
  },
});

/** A connection that has failed once is not used again, because its next response would belong to an earlier query. */
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
  /** The maximum number of connections; 10 if absent, as for the store itself. */
  readonly connections?: number | undefined;
}

/** too_many_connections: of the server, the database or the user. */
const tooMany = '53300';
/** How long no further connection is tried after the server has accepted none, in milliseconds. Each one costs it a process. */
const fullMs = 1000;
/** How often connections in use are looked at meanwhile, in milliseconds. */
const fullPauseMs = 20;

/** Opens connections whose failures are `StoreError`s and do not end the process. */
export const openPool = (pg: Pg, { url, where, timeouts, connections = 10 }: PoolOptions): PostgresPool => {
  const pool = new pg.Pool({ ...clientConfig(pg, url, timeouts), max: connections });
  const ignore = (): void => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  let fullUntil = Number.NEGATIVE_INFINITY;
  return {
    options: {},
    async connect() {
      const until = performance.now() + timeouts.connect;
      const canWait = (): boolean => pool.totalCount > 0 && performance.now() < until;
      for (;;) {
        // While the server accepts no further connections, those that this pool has are shared.
        while (performance.now() < fullUntil && pool.idleCount === 0 && canWait()) await setTimeout(fullPauseMs);
        try {
          return guarded(await pool.connect(), where);
        } catch (error) {
          if (findSqlState(error) !== tooMany || !canWait()) throw toStoreError(error, where);
          fullUntil = performance.now() + fullMs;
        }
      }
    },
    end: () => waitAtMost([pool.end()], timeouts.connect),
  };
};

/**
 * serialization_failure and deadlock_detected: another transaction interfered, although writes take turns. The same transaction
 * may succeed next time.
 */
const inTheWay: readonly (string | undefined)[] = ['40001', '40P01'];

/** The maximum of the random pause before each retry, in milliseconds. */
const pauses: readonly number[] = [10, 30, 90, 270, 810];

/**
 * Runs a transaction, and retries it at most five times if others interfered.
 *
 * @throws StoreError if they still do
 */
export const retried = async <Result>(where: string, run: () => Promise<Result>): Promise<Result> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await run();
    } catch (cause) {
      if (!inTheWay.includes(findSqlState(cause))) throw cause;
      const pause = pauses[tries];
      if (pause === undefined)
        throw new StoreError(`Too many processes write the same records of the store ${where} at once. Try again.`, {
          cause,
        });
      await setTimeout(Math.random() * pause);
    }
};

/** Runs a transaction, possibly more than once. */
type Transact<Schema> = <Result>(run: (writing: Transaction<Schema>) => Promise<Result>) => Promise<Result>;

/**
 * Waits until no other transaction writes. All of them change `feeds`, so without the lock a transaction of many statements would
 * be retried whenever a shorter one ended, until it failed. The lock is not a query, because a transaction sees the state as of
 * its first query.
 */
const takeTurn = sql`lock table feeds in share row exclusive mode`;

/** Writes concurrently with others, and sees what they have committed in the meantime. */
export const transactAtOnce =
  <Schema>(db: Kysely<Schema>): Transact<Schema> =>
  (run) =>
    db.transaction().setIsolationLevel('read committed').execute(run);

/** Writes one transaction at a time among all processes, as if no others existed. */
export const transactIn =
  <Schema>(db: Kysely<Schema>, where: string): Transact<Schema> =>
  (run) =>
    retried(where, () =>
      db
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async (writing) => {
          await takeTurn.execute(writing);
          return run(writing);
        }),
    );

/** The options of jobs of one database, to which the thread opens its own connections. */
export interface JobThreadOptions extends Pick<PoolOptions, 'url' | 'where' | 'timeouts'> {
  /** Whether its jobs take turns with the writes of a store, after all of those. Jobs of a log take turns among themselves. */
  readonly inTurn: boolean;
}

/** A question to the thread. The first one says what the jobs after it need. */
export type JobQuestion =
  | ({ readonly kind: 'open' } & JobThreadOptions)
  | { readonly kind: 'perform'; readonly job: string; readonly bytes: Uint8Array };

/** Runs jobs in a thread that has its own connections. */
export interface JobThread {
  perform: Store['perform'];
  /** Ends the thread if it is running and nobody else uses it. Jobs that have not ended by then reject. */
  end(): Promise<void>;
}

/** Adds jobs with other options to a thread. */
export type AddJobs = (options: JobThreadOptions) => JobThread;

const module = ownModule('plugins/control/kernel/store/postgres/job-worker');

/** Creates a thread, which starts with the first job, and again with the next job if it has failed. */
export const createJobThread = (): AddJobs => {
  const addUser = createRequestThread<JobQuestion, void>(module, 'gatewright-jobs');

  return (options) => {
    let running: RequestThread<JobQuestion, void> | undefined;

    const start = (): RequestThread<JobQuestion, void> => {
      const thread = addUser(
        (error) =>
          `A job of the store ${options.where} did not end: its thread has ${error === undefined ? 'ended' : `failed: ${error.message}`}.`,
      );
      void thread.exited.then(() => {
        running = undefined;
      });
      // Jobs reject with the same error.
      void thread.ask({ kind: 'open', ...options }).catch(() => {});
      return thread;
    };

    return {
      perform(job, bytes) {
        running ??= start();
        return running.ask({ kind: 'perform', job: job.href, bytes });
      },
      end: async () => running?.end(),
    };
  };
};
