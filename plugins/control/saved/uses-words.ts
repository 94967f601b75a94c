const mostNamed = 3;

/** What uses something, as the end of a sentence: the first three, and how many more. */
export const usesWords = (uses: readonly string[]): string => {
  const named = uses.slice(0, mostNamed).join(', ');
  return uses.length > mostNamed ? `${named} and ${uses.length - mostNamed} more` : named;
};
