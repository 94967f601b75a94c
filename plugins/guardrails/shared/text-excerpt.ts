/** The most characters of a text that a verdict shows. */
const maxCharacters = 100;

/** The beginning of a text, for a verdict's data. */
export const textExcerpt = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text;
