import { literalPattern } from '../../../../schema/text/regex.ts';

/** The maximum number of characters between the start of a word and the number that it describes. */
export const contextCharacters = 60;

/** Matches scripts that are written without spaces, so that words have no borders. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const escaped = (word: string): string => literalPattern(word).replaceAll(' ', '[\\s_-]{0,2}');

/**
 * Creates a pattern for any of the words, as whole words and in any case. A space in a word matches up to two of ` `, `_` and
 * `-`.
 */
export const anyWord = (words: readonly string[]): RegExp => {
  const free = words.filter((word) => unspaced.test(word)).map(escaped);
  const bordered = words.filter((word) => !unspaced.test(word)).map(escaped);
  // The first condition follows from the second, and rules out most places much faster.
  const whole = `(?<![a-z\\d])(?<![\\p{L}\\p{N}])(?:${bordered.join('|')})(?![\\p{L}\\p{N}])`;
  return new RegExp([...(bordered.length > 0 ? [whole] : []), ...free].join('|'), 'iu');
};

/**
 * Returns whether one of the words is shortly before an offset. Text before a closing bracket says nothing about what follows,
 * because brackets stand for replaced texts.
 */
export const wordsBefore = (words: readonly string[]): ((text: string, at: number) => boolean) => {
  if (words.length === 0) return () => false;
  const pattern = anyWord(words);
  return (text, at) => {
    const near = text.slice(Math.max(0, at - contextCharacters), at);
    return pattern.test(near.slice(near.lastIndexOf(']') + 1));
  };
};
