/** The most characters of a text that a verdict shows. */
const mostCharacters = 100;

/** The beginning of a text, for a verdict's data. */
export const textExcerpt = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text;
