/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY: https://www.sqlite.org/rescode.html */
const sqliteCodes: readonly unknown[] = [2067, 1555];

/** unique_violation: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresCode = '23505';

/** Whether a write was refused because another row has the same key, or the same values where they must be unique. */
export const isConflict = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return sqliteCodes.includes(error.errcode);
  return 'code' in error && error.code === postgresCode;
};

/** SQLITE_CONSTRAINT_FOREIGNKEY and foreign_key_violation. */
const sqliteReference = 787;
const postgresReference = '23503';

/** Whether a write was refused because a row that it refers to is gone. */
export const isMissingReference = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return error.errcode === sqliteReference;
  return 'code' in error && error.code === postgresReference;
};

/** character_not_in_repertoire: PostgreSQL neither keeps U+0000 nor looks for it. */
const postgresText = '22021';

/** Whether a statement was refused because a text has a character that the database cannot have. */
export const isForeignText = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === postgresText;
