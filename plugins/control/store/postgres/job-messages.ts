import { StoreError } from '../store.ts';
import { sqlStateOf } from './pg-error.ts';
import type { PoolOptions } from './pool.ts';

/** What the thread of jobs begins with: the database of which it has connections of its own. */
export interface JobThreadOptions extends Pick<PoolOptions, 'url' | 'where' | 'timeouts'> {
  /** Whether its jobs write in the turns of a store, after all others that do; those of a log take turns among themselves. */
  readonly inTurn: boolean;
}

/** What it is asked: to run a job, or to close its connection and end. */
export type JobQuestion =
  | { readonly kind: 'perform'; readonly id: number; readonly job: string; readonly bytes: Uint8Array }
  | { readonly kind: 'close' };

/** `store` marks the sentence of a `StoreError`, and `code` is an SQLSTATE. */
interface JobFailure {
  readonly message: string;
  readonly store: boolean;
  readonly code?: string;
}

export interface JobAnswer {
  readonly id: number;
  readonly failure?: JobFailure;
}

/** PostgreSQL refused a statement. */
class PostgresError extends Error {
  override readonly name = 'PostgresError';
  /** The SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** What the other thread is told of an error. */
export const toJobFailure = (error: unknown): JobFailure => {
  const message = error instanceof Error ? error.message : String(error);
  const code = sqlStateOf(error);
  return { message, store: error instanceof StoreError, ...(code === undefined ? {} : { code }) };
};

export const fromJobFailure = ({ message, store, code }: JobFailure): Error =>
  store ? new StoreError(message) : new PostgresError(message, code);
