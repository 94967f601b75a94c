import { literalPattern } from '../../../../schema/text/regex.ts';

/** The most characters between a number and the word that says what it is, the word included. */
export const contextCharacters = 60;

/** Scripts that are written without spaces, so that a word has no borders. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const escaped = (word: string): string => literalPattern(word).replaceAll(' ', '[\\s_-]{0,2}');

/** Any of the words, as whole words and in any case. A space in a word stands for up to two of ` `, `_` and `-`. */
export const anyWord = (words: readonly string[]): RegExp => {
  const free = words.filter((word) => unspaced.test(word)).map(escaped);
  const bordered = words.filter((word) => !unspaced.test(word)).map(escaped);
  // The first condition follows from the second, and refuses most places in much less time.
  const whole = `(?<![a-z\\d])(?<![\\p{L}\\p{N}])(?:${bordered.join('|')})(?![\\p{L}\\p{N}])`;
  return new RegExp([...(bordered.length > 0 ? [whole] : []), ...free].join('|'), 'iu');
};

/**
 * Whether one of the words stands shortly before a place. What is before a bracket's end says nothing of what is after
 * it, because brackets stand for texts that were replaced.
 */
export const wordsBefore = (words: readonly string[]): ((text: string, at: number) => boolean) => {
  if (words.length === 0) return () => false;
  const pattern = anyWord(words);
  return (text, at) => {
    const near = text.slice(Math.max(0, at - contextCharacters), at);
    return pattern.test(near.slice(near.lastIndexOf(']') + 1));
  };
};
