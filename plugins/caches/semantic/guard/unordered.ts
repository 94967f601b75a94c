import { joiningWords, questionWords } from './words.ts';

/** Words with which the order of a list matters. */
const ordering = new Set([
  'respectively',
  'order',
  'first',
  'then',
  'former',
  'latter',
  'last',
  'next',
  'time',
  'before',
  'after',
  'between',
]);

const isItem = (word: string | undefined): word is string =>
  word !== undefined &&
  /^\p{L}[\p{L}\p{M}]*$/u.test(word) &&
  !joiningWords.has(word) &&
  !questionWords.has(word) &&
  !ordering.has(word);

const comparisons: ReadonlySet<string> = new Set([
  'compare',
  'contrast',
  'what is the difference between',
  'what are the differences between',
  'what are the similarities between',
]);

const introduces = (words: readonly string[]): boolean =>
  comparisons.has(words.join(' ')) || (words[0] === 'which' && words.at(-1) === ',');

/**
 * Puts the two sides of a comparison into a fixed order: `compare A and B`, `difference between A and B`, `which is larger, A or
 * B`. Only single words at the end of a request, so that nothing around them belongs to only one of them.
 */
export const withOneOrder = (words: readonly string[]): readonly string[] => {
  const head = words.slice(0, -3);
  const [left, joint, right] = words.slice(-3);
  const isPair = (joint === 'and' || joint === 'or') && isItem(left) && isItem(right);
  if (!isPair || !introduces(head)) return words;
  const before = head.slice(0, -1);
  if (before.some((word) => ordering.has(word))) return words;
  return left < right ? words : [...head, right, joint, left];
};
