/** Formats a list for a sentence: `a`, `a and b`, `a, b and c`. */
export const formatList = (items: readonly string[], last: 'and' | 'or' = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
