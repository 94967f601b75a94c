import type { Pool } from 'pg';
import type { Vectors } from '../../sdk/cache/vectors.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { maxInPartition } from './max-in-partition.ts';
import { findNearest, type StoredVector } from './similarity.ts';

export interface PostgresVectorsOptions {
  /** `postgres://…`. It may contain a password, so it is never shown. */
  readonly url: string;
  /** The maximum wait for a connection and for a query, in milliseconds. */
  readonly timeoutMs: number;
}

const maxConnections = 4;
const maxRows = 100_000;
/** Expired rows are deleted after this many writes. */
const writesBetweenPrunes = 200;

const table = `CREATE TABLE IF NOT EXISTS gatewright_vectors (
  partition text NOT NULL,
  id text NOT NULL,
  vector bytea NOT NULL,
  added_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  PRIMARY KEY (partition, id)
);
CREATE INDEX IF NOT EXISTS gatewright_vectors_until ON gatewright_vectors (until_ms)`;

const reading = `SELECT id, vector FROM gatewright_vectors
  WHERE partition = $1 AND until_ms > $2 ORDER BY added_ms DESC LIMIT ${maxInPartition}`;

const finding = 'SELECT id FROM gatewright_vectors WHERE partition = $1 AND until_ms > $2 LIMIT 1';

const adding = `INSERT INTO gatewright_vectors (partition, id, vector, added_ms, until_ms) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (partition, id) DO UPDATE SET vector = $3, added_ms = $4, until_ms = $5`;

const pruning = `DELETE FROM gatewright_vectors WHERE until_ms <= $1 OR (partition, id) IN
  (SELECT partition, id FROM gatewright_vectors ORDER BY until_ms DESC OFFSET ${maxRows})`;

interface StoredRow {
  readonly id: string;
  readonly vector: Buffer;
}

/** A copy, because the bytes may not be aligned for numbers. */
const toVector = (bytes: Buffer): Float32Array =>
  new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT));

const toBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const toStoredVector = ({ id, vector }: StoredRow): StoredVector => ({ id, vector: toVector(vector) });

const loadPg = async (): Promise<typeof import('pg')['default']> => {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new Error('The package "pg" cannot be loaded. Install it next to gatewright: npm install pg', { cause });
  }
};

/** Opens the connections and creates the table if it does not exist. */
const opened = async ({ url, timeoutMs }: PostgresVectorsOptions): Promise<Pool> => {
  const { Pool } = await loadPg();
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    allowExitOnIdle: true,
  });
  // A connection that breaks while it is idle is replaced by the next query.
  pool.on('error', () => {});
  try {
    await pool.query(table);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/**
 * Stores vectors in a PostgreSQL that several processes share. A partition has few rows, so they are compared here, and the
 * database needs no extension.
 */
export const postgresVectors = (options: PostgresVectorsOptions, timers: Pick<Timers, 'wall'>): Vectors => {
  let opening: Promise<Pool> | undefined;
  let writes = 0;

  /** After a failure, the next call opens it again. */
  const pool = (): Promise<Pool> => {
    opening ??= opened(options).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  const run = async (text: string, values: readonly unknown[]): Promise<readonly StoredRow[]> =>
    (await (await pool()).query<StoredRow>(text, [...values])).rows;

  return {
    has: async (partition) => (await run(finding, [partition, timers.wall()])).length > 0,
    async nearest(partition, vector, min) {
      const rows = await run(reading, [partition, timers.wall()]);
      return findNearest(rows.map(toStoredVector), vector, min);
    },
    async add({ partition, id, vector, ttlS }) {
      const now = timers.wall();
      await run(adding, [partition, id, toBytes(vector), now, now + ttlS * 1000]);
      writes += 1;
      if (writes % writesBetweenPrunes === 0) await run(pruning, [now]);
    },
    async remove(partition, id) {
      await run('DELETE FROM gatewright_vectors WHERE partition = $1 AND id = $2', [partition, id]);
    },
    async close() {
      const open = await opening?.catch(() => undefined);
      await open?.end();
    },
  };
};
