/** A word without what people write differently: case, and the marks between words. */
export const spelling = (word: string): string => word.toLowerCase().replace(/[-_ .$]/g, '');
