import { findSqlState } from '../../kernel/store/postgres/pool.ts';
import { findSqliteCode, toPrimaryCode } from '../../kernel/store/sqlite/failure.ts';
import { StoreError } from '../../kernel/store/store.ts';

/** SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH: https://www.sqlite.org/rescode.html */
const sqliteCodes: readonly number[] = [18, 19, 20];

/** Data, constraints, and limits of the server: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresClasses: readonly string[] = ['22', '23', '54'];

/** Whether a write failed because of the rows, and not because of the store, so that the same write would fail again. */
export const isErrorOfRows = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof StoreError) return false;
  if (findSqliteCode(error) !== undefined) return sqliteCodes.includes(toPrimaryCode(error));
  const state = findSqlState(error);
  return state === undefined || postgresClasses.includes(state.slice(0, 2));
};
