const busy = 5;

/** Whether SQLite refused a statement because another process has what it needs. */
export const isBusyCode = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === busy;
