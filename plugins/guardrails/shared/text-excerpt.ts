/** The maximum number of characters of a text in a verdict. */
const maxCharacters = 100;

/** Returns the beginning of a text, for a verdict's data. */
export const textExcerpt = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text;
