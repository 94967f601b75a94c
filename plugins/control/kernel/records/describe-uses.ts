const maxNamed = 3;

/** What uses something, as the end of a sentence: the first three, and how many more. */
export const describeUses = (uses: readonly string[]): string => {
  const named = uses.slice(0, maxNamed).join(', ');
  return uses.length > maxNamed ? `${named} and ${uses.length - maxNamed} more` : named;
};
