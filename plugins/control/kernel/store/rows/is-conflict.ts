import type { GatewayError } from '../../../../../schema/errors/errors.ts';
import { findSqlState } from '../postgres/pool.ts';
import { findSqliteCode } from '../sqlite/failure.ts';

const hasCode = (error: unknown, codes: readonly (number | string | undefined)[]): boolean =>
  error instanceof Error && codes.includes(findSqliteCode(error) ?? findSqlState(error) ?? '');

/**
 * Says whether a write was refused because another row has the same key, or the same values where they must be unique:
 * SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY (https://www.sqlite.org/rescode.html), and unique_violation
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export const isConflict = (error: unknown): boolean => hasCode(error, [2067, 1555, '23505']);

/** Says whether a row that a write refers to is gone: SQLITE_CONSTRAINT_FOREIGNKEY and foreign_key_violation. */
export const isMissingReference = (error: unknown): boolean => hasCode(error, [787, '23503']);

/**
 * Says whether a statement was refused because a text has a character that the database cannot have:
 * character_not_in_repertoire. PostgreSQL neither keeps U+0000 nor looks for it.
 */
export const isForeignText = (error: unknown): boolean => hasCode(error, ['22021']);

/** Runs a write, and throws what `taken` makes where a unique name of it is taken, in place of the error of the store. */
export const mapConflict = async <Result>(taken: () => GatewayError, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? taken() : error;
  }
};
