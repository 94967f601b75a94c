/** Returns a word without case and without the marks between its parts, which people write in different ways. */
export const spelling = (word: string): string => word.toLowerCase().replace(/[-_ .$]/g, '');

/** Returns the key that a word means, if it only spells it differently. */
export const sameSpelling = (word: string, keys: readonly string[]): string | undefined =>
  keys.find((key) => key !== '$schema' && spelling(key) === spelling(word));
