import { closestName } from '../../schema/closest-name.ts';

/** Without what people write differently: case, and the marks between words. */
const spelling = (word: string): string => word.toLowerCase().replace(/[-_ .$]/g, '');

const shortestStem = 3;

/** Whether one word begins with the other: `$equals` and `$eq`. */
const isStem = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= shortestStem && (a.startsWith(b) || b.startsWith(a));

/** Longer than any name: what follows cannot make a word more alike. */
const longestName = 64;

/** The candidate that a misspelt word was most likely meant to be; none where nothing is near. */
export const closest = (word: string, candidates: readonly string[]): string | undefined => {
  const written = word.slice(0, longestName);
  return (
    candidates.find((candidate) => spelling(candidate) === spelling(written)) ??
    closestName(written, candidates) ??
    candidates.find((candidate) => isStem(candidate.toLowerCase(), written.toLowerCase()))
  );
};

const mostListed = 12;

const shownList = (candidates: readonly string[]): string => {
  const shown = candidates.slice(0, mostListed).map((candidate) => `"${candidate}"`);
  return candidates.length > mostListed
    ? `${shown.join(', ')}, and ${candidates.length - mostListed} more`
    : shown.join(', ');
};

/** A hint: what was meant, and else what there is. */
export const suggestion = (word: string, candidates: readonly string[], lead = 'Allowed here'): string => {
  const near = closest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'There are none.' : `${lead}: ${shownList(candidates)}.`;
};
