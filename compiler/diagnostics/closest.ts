import type { Fix } from '../../schema/errors/fix.ts';
import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { closestName } from '../../schema/text/closest-name.ts';
import { spelling } from './spelling.ts';

const shortestStem = 3;

/** Whether one word begins with the other, as in `$equals` and `$eq`. */
const isStem = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= shortestStem && (a.startsWith(b) || b.startsWith(a));

/** Longer than any name: the rest of a word cannot bring it closer to one. */
const longestName = 64;

/** Returns the candidate that a misspelt word was most likely meant to be; `undefined` if none is similar. */
export const closest = (word: string, candidates: readonly string[]): string | undefined => {
  const written = word.slice(0, longestName);
  const [spelt, lower] = [spelling(written), written.toLowerCase()];
  return (
    candidates.find((candidate) => spelling(candidate) === spelt) ??
    closestName(written, candidates) ??
    candidates.find((candidate) => isStem(candidate.toLowerCase(), lower))
  );
};

/** Lists each name once, even if it has several spellings. */
const shownList = (candidates: readonly string[]): string =>
  [...new Set(candidates)].map((candidate) => `"${candidate}"`).join(', ');

/** Returns a hint with what was probably meant, or with what is allowed. */
export const suggestion = (word: string, candidates: readonly string[], lead = 'Allowed here'): string => {
  const near = closest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'None are available.' : `${lead}: ${shownList(candidates)}.`;
};

/** Returns a fix that writes what was probably meant; undefined if nothing is similar. */
export const guessValue = (at: JsonPointer, value: string | number | boolean | undefined): Fix | undefined =>
  value === undefined ? undefined : { kind: 'guess', edits: [{ kind: 'set', at, value }] };

/** Returns a fix that renames a member to what was probably meant; undefined if that belongs elsewhere. */
export const guessName = (at: JsonPointer, meant: JsonPointer | undefined): Fix | undefined => {
  const name = meant === undefined ? undefined : fromPointer(meant).at(-1);
  const isBeside = meant?.slice(0, meant.lastIndexOf('/')) === at.slice(0, at.lastIndexOf('/'));
  return name === undefined || !isBeside ? undefined : { kind: 'guess', edits: [{ kind: 'rename', at, name }] };
};
