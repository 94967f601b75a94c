/** Splits phrases into words, the longest first, so that the first match is the longest. */
export const toPhrases = (texts: readonly string[]): readonly (readonly string[])[] =>
  texts.map((text) => text.split(' ')).sort((left, right) => right.length - left.length);

/** Whether words start with a phrase. */
export const begins = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.every((word, index) => words[index] === word);

/** Returns the words after the first phrase that matches their start. Undefined if none matches. */
export const wordsAfter = (
  words: readonly string[],
  phrases: readonly (readonly string[])[],
): readonly string[] | undefined => {
  const phrase = phrases.find((each) => begins(words, each));
  return phrase === undefined ? undefined : words.slice(phrase.length);
};
