/** Returns the code of a system error (`ENOENT`); undefined if it has none. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
