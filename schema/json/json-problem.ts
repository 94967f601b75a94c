/** The engine's message ends with a piece of the text, which may contain a secret. */
const quoted = /(?:, )?(?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s;

/** Returns why `JSON.parse` rejected a text, as the end of a sentence that quotes at most one character of it. */
export const jsonProblem = (text: string, error: unknown): string => {
  if (text.trim() === '') return 'it is empty.';
  // Quoted, it would be invisible.
  if (text.startsWith('\ufeff')) return 'it begins with a byte order mark.';
  const message = error instanceof Error ? error.message.replace(quoted, '') : '';
  return message === '' ? 'it is no value of JSON.' : `${message[0]?.toLowerCase()}${message.slice(1)}.`;
};
