/** Splits a text at spaces into a set of words. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));
