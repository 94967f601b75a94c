import type { GatewayError } from '../../../../../schema/errors/errors.ts';
import { findSqlState } from '../postgres/pool.ts';
import { findSqliteCode } from '../sqlite/failure.ts';

const hasCode = (error: unknown, codes: readonly (number | string | undefined)[]): boolean =>
  error instanceof Error && codes.includes(findSqliteCode(error) ?? findSqlState(error) ?? '');

/**
 * Whether a write was refused because another row has the same key, or the same values in unique columns:
 * SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY (https://www.sqlite.org/rescode.html), and unique_violation
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export const isConflict = (error: unknown): boolean => hasCode(error, [2067, 1555, '23505']);

/** Whether a row that a write refers to no longer exists: SQLITE_CONSTRAINT_FOREIGNKEY and foreign_key_violation. */
export const isMissingReference = (error: unknown): boolean => hasCode(error, [787, '23503']);

/**
 * Whether a statement was refused because a text has a character that the database does not support: character_not_in_repertoire.
 * PostgreSQL neither stores nor searches for U+0000.
 */
export const isUnsupportedText = (error: unknown): boolean => hasCode(error, ['22021']);

/** Runs a write. If a unique name is taken, throws the error that `taken` creates instead of the store's error. */
export const mapConflict = async <Result>(taken: () => GatewayError, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? taken() : error;
  }
};
