import type { GatewayError } from '../../../../../schema/errors/errors.ts';
import { findSqlState } from '../postgres/pool.ts';
import { findSqliteCode } from '../sqlite/failure.ts';

const hasCode = (error: unknown, codes: readonly (number | string | undefined)[]): boolean =>
  error instanceof Error && codes.includes(findSqliteCode(error) ?? findSqlState(error) ?? '');

/**
 * SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY (https://www.sqlite.org/rescode.html), and unique_violation
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const conflicts = [2067, 1555, '23505'];

/** Whether a write was refused because another row has the same key, or the same values where they must be unique. */
export const isConflict = (error: unknown): boolean => hasCode(error, conflicts);

/** SQLITE_CONSTRAINT_FOREIGNKEY and foreign_key_violation. */
const missingReferences = [787, '23503'];

/** Whether a write was refused because a row that it refers to is gone. */
export const isMissingReference = (error: unknown): boolean => hasCode(error, missingReferences);

/** character_not_in_repertoire: PostgreSQL neither keeps U+0000 nor looks for it. */
const foreignTexts = ['22021'];

/** Whether a statement was refused because a text has a character that the database cannot have. */
export const isForeignText = (error: unknown): boolean => hasCode(error, foreignTexts);

/** Runs a write, and throws what `taken` makes where a unique name of it is taken, in place of the error of the store. */
export const mapConflict = async <Result>(taken: () => GatewayError, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? taken() : error;
  }
};
