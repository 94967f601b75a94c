import { StoreError } from './store.ts';

/** An error as another thread receives it: `code` is the database's code, and `store` marks the sentence of a `StoreError`. */
export interface Failure {
  readonly message: string;
  /** SQLite's extended result code, or an SQLSTATE. */
  readonly code?: number | string | undefined;
  readonly store?: true;
}

/** A database refused a statement in another thread. */
class StatementError extends Error {
  override readonly name = 'StatementError';
  /** Of SQLite: https://www.sqlite.org/rescode.html */
  readonly errcode: number | undefined;
  /** Of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  readonly code: string | undefined;

  constructor({ message, code }: Failure) {
    super(message);
    this.errcode = typeof code === 'number' ? code : undefined;
    this.code = typeof code === 'string' ? code : undefined;
  }
}

/** Recreates the error that another thread has reported. */
export const fromFailure = (failure: Failure): Error => {
  const refused = new StatementError(failure);
  return failure.store === true ? new StoreError(failure.message, { cause: refused }) : refused;
};
