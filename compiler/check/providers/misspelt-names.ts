import { editDistance } from '../../../schema/text/closest-name.ts';
import { spelling } from '../../diagnostics/spelling.ts';

/** Longer words are not compared. */
const longestWord = 40;
const shortestWord = 3;
/** In a shorter word, another letter may make another word, as with "lite" and "live". */
const shortestReplaced = 5;
/** Names with more words are not compared. */
const maxWords = 40;

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[-_.]/);

const letters = (word: string): string => [...word].sort().join('');

/**
 * Whether one letter of a word is missing, added or replaced, or two are swapped. `isWord` states whether a known name contains
 * the word itself.
 */
const isSlipOf = (word: string, known: string, isWord: boolean): boolean => {
  if (!/^[a-z]+$/.test(word + known) || Math.max(word.length, known.length) > longestWord) return false;
  if (Math.min(word.length, known.length) < shortestWord || editDistance(word, known) !== 1) return false;
  if (letters(word) === letters(known)) return true;
  if (word.length !== known.length) return known.length > shortestWord;
  return known.length >= shortestReplaced || !isWord;
};

/** A known name, one of its words, and its place in the list. */
interface Known {
  readonly name: string;
  readonly word: string;
  readonly at: number;
}

/** Known names, indexed so that they need not be compared one by one. */
interface NameIndex {
  readonly bySpelling: ReadonlyMap<string, Known>;
  /** By all words except one. */
  readonly byOtherWords: ReadonlyMap<string, readonly Known[]>;
  readonly words: ReadonlySet<string>;
}

/** A text that names share if they have the same words except at one place. */
const otherWords = (words: readonly string[], place: number): string => [place, ...words.with(place, '')].join('-');

const indexNames = (names: readonly string[]): NameIndex => {
  // The first of several is kept.
  const bySpelling = new Map(names.map((name, at) => [spelling(name), { name, word: '', at }] as const).reverse());
  const parts = names.flatMap((name, at) => {
    const words = wordsOf(name);
    if (words.length > maxWords) return [];
    return words.map((word, place) => ({ name, word, at, others: otherWords(words, place) }));
  });
  return {
    ...{ bySpelling, byOtherWords: Map.groupBy(parts, ({ others }) => others) },
    words: new Set(parts.map(({ word }) => word)),
  };
};

const indexes = new WeakMap<readonly string[], NameIndex>();

const indexOf = (names: readonly string[]): NameIndex => {
  const index = indexes.get(names) ?? indexNames(names);
  indexes.set(names, index);
  return index;
};

/**
 * Returns the first known name of which `name` is a misspelling: with a slip in one word, or with other marks between the words.
 * Digits cannot be slips, because providers add models whose names differ from earlier ones only in numbers.
 */
export const findMisspelt = (name: string, names: readonly string[]): string | undefined => {
  const { bySpelling, byOtherWords, words: knownWords } = indexOf(names);
  const words = wordsOf(name);
  const known =
    words.length > maxWords ? [] : words.map((_, place) => byOtherWords.get(otherWords(words, place)) ?? []);
  const slips = known.map((those, place) => {
    const written = words[place] ?? '';
    return those.find(({ word }) => isSlipOf(written, word, knownWords.has(written)));
  });
  return [bySpelling.get(spelling(name)), ...slips]
    .filter((each) => each !== undefined)
    .toSorted((one, other) => one.at - other.at)[0]?.name;
};
