/** As ioredis says it, and as `within` does. */
const timeOut = /\bCommand timed out|^There was no result within/;

/** How an answer of Redis begins that is an error, by itself and as ioredis tells of it when it connects. */
const answer = /^(?:Ready check failed: )?([A-Z]{3,})\b/;

/**
 * What operators are told of a failure: its code, as `ECONNREFUSED` or `WRONGPASS`. Never its message, because nobody promises
 * that a password is in none.
 */
export const redisFault = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause !== undefined) return redisFault(error.cause);
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [, code] = answer.exec(error.message) ?? [];
  if (code !== undefined) return code;
  return timeOut.test(error.message) ? 'no answer in time' : 'no connection';
};
