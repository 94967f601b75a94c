import { closestName } from '../../schema/text/closest-name.ts';
import { spelling } from './spelling.ts';

const shortestStem = 3;

/** Whether one word begins with the other: `$equals` and `$eq`. */
const isStem = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= shortestStem && (a.startsWith(b) || b.startsWith(a));

/** Longer than any name; the rest of a word cannot bring it nearer to one. */
const longestName = 64;

/** The candidate that a misspelt word was most likely meant to be; `undefined` where none is near. */
export const closest = (word: string, candidates: readonly string[]): string | undefined => {
  const written = word.slice(0, longestName);
  const [spelt, lower] = [spelling(written), written.toLowerCase()];
  return (
    candidates.find((candidate) => spelling(candidate) === spelt) ??
    closestName(written, candidates) ??
    candidates.find((candidate) => isStem(candidate.toLowerCase(), lower))
  );
};

const shownList = (candidates: readonly string[]): string => candidates.map((candidate) => `"${candidate}"`).join(', ');

/** A hint that says what was probably meant, or lists what is allowed. */
export const suggestion = (word: string, candidates: readonly string[], lead = 'Allowed here'): string => {
  const near = closest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'None are available.' : `${lead}: ${shownList(candidates)}.`;
};
