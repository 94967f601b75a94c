/** Returns a word without case and without the marks between its parts, which people write in different ways. */
export const spelling = (word: string): string => word.toLowerCase().replace(/[-_ .$]/g, '');
