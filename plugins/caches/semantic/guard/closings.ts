import { begins, toPhrases } from './phrases.ts';
import { wordSet } from './word-set.ts';

const closings = toPhrases([
  'please',
  'thanks',
  'thank you',
  'thanks in advance',
  'thank you in advance',
  'thank you very much',
]);

const endMarks = wordSet('. ? ! ,');

const withoutMarks = (words: readonly string[]): readonly string[] =>
  words.slice(0, words.findLastIndex((word) => !endMarks.has(word)) + 1);

/**
 * Removes thanks at the end, and the marks that end the last sentence. Without a mark before them, words of thanks may be part of
 * the question: `who sang thank you`.
 */
export const withoutClosing = (words: readonly string[]): readonly string[] => {
  const said = withoutMarks(words);
  const closing = closings.find(
    (each) => begins(said.slice(-each.length), each) && endMarks.has(said[said.length - each.length - 1] ?? ''),
  );
  return closing === undefined ? said : withoutMarks(said.slice(0, -closing.length));
};
