/** Phrases as words, the longest first, so that the first that fits is the most that fits. */
export const toPhrases = (texts: readonly string[]): readonly (readonly string[])[] =>
  texts.map((text) => text.split(' ')).sort((left, right) => right.length - left.length);

/** Whether words begin with a phrase. */
export const begins = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.every((word, index) => words[index] === word);

/** The words after the first of the phrases that they begin with; undefined if they begin with none. */
export const wordsAfter = (
  words: readonly string[],
  phrases: readonly (readonly string[])[],
): readonly string[] | undefined => {
  const phrase = phrases.find((each) => begins(words, each));
  return phrase === undefined ? undefined : words.slice(phrase.length);
};
