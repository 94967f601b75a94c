/** Returns a sentence that lists names: `There are a, b.`, or `There is only a.` */
export const listNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'There is none.';
  return names.length === 1 ? `There is only ${names[0]}.` : `There are ${names.join(', ')}.`;
};
