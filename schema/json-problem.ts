/** An engine's message ends with a piece of the text, which may be anybody's secret. */
const quoted = /(?:, )?(?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s;

/** Why `JSON.parse` refused a text, as the end of a sentence and without a word of the text beyond one character. */
export const jsonProblem = (text: string, error: unknown): string => {
  if (text.trim() === '') return 'it is empty.';
  const message = error instanceof Error ? error.message.replace(quoted, '') : '';
  return message === '' ? 'it is no value of JSON.' : `${message[0]?.toLowerCase()}${message.slice(1)}.`;
};
