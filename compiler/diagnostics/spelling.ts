/** A word without its case and the marks between its parts, which people write in different ways. */
export const spelling = (word: string): string => word.toLowerCase().replace(/[-_ .$]/g, '');
