import { joiningWords, questionWords } from './words.ts';

/** What makes the order of what is listed matter. */
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

const introduces = (words: readonly string[]): boolean => {
  const [last = '', before = ''] = words.slice(-2).reverse();
  if (last === 'between') return before === 'difference' || before === 'differences' || before === 'similarities';
  if (words.length === 1) return last === 'compare' || last === 'contrast';
  return last === ',' && words[0] === 'which';
};

/**
 * The words with the two things of a comparison in one order: `compare A and B`, `difference between A and B`, `which is
 * larger, A or B`. Only single words at the end of a request, so that nothing before or after belongs to one of them alone.
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
