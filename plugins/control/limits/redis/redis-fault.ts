/** As ioredis says it, and as `within` does. */
const timeOut = /^Command timed out|^There was no result within/;

/**
 * What operators are told of a failure: its code, as `ECONNREFUSED` or `OOM`. Never its message, because nobody promises that a
 * password is in none.
 */
export const redisFault = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [word = ''] = error.message.split(' ', 1);
  if (/^[A-Z]{3,}$/.test(word)) return word;
  return timeOut.test(error.message) ? 'no answer in time' : 'no connection';
};
