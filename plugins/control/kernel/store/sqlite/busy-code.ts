/** The extended result code of an error of SQLite: https://www.sqlite.org/rescode.html */
export const findSqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

/** Of an extended result code, the primary one. */
export const primaryCode = (code: number): number => code & 0xff;

const busy = 5;

/** Whether SQLite refused a statement because another process has what it needs. */
export const isBusyCode = (error: unknown): boolean => primaryCode(findSqliteCode(error) ?? 0) === busy;
