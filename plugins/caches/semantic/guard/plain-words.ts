import { sameVerb, sameWord } from './same-words.ts';
import type { Token } from './tokens.ts';
import { isOrdinary, joiningWords } from './words.ts';

const numberWords: Readonly<Record<string, string>> = {
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
};

/** Units with several spellings. Units of one letter are ambiguous, and not changed. */
const units: Readonly<Record<string, string>> = {
  percent: '%',
  kilometer: 'km',
  kilometers: 'km',
  kilometre: 'km',
  kilometres: 'km',
  kilogram: 'kg',
  kilograms: 'kg',
  hour: 'hours',
  minute: 'minutes',
};

/** Whether this mark ends a sentence. */
export const endsSentence = (text: string | undefined): boolean => text === '.' || text === '?' || text === '!';

const lowered = ({ kind, text }: Token, isFirst: boolean): string => {
  if (kind !== 'word') return text;
  if (text === 'i') return 'I';
  const lower = text.toLowerCase();
  const isCapitalised = text !== 'I' && text.slice(1) === lower.slice(1);
  return isFirst && isCapitalised && isOrdinary(sameVerb(sameWord(lower))) ? lower : text;
};

/** Whether ordinary words may be part of names: `center` in HTML, `Photos`. */
const hasNames = (tokens: readonly Token[], lowerCased: readonly string[]): boolean =>
  tokens.some(({ kind }, index) => kind === 'name' && tokens[index - 1]?.kind !== 'number') ||
  lowerCased.some((text) => text !== 'I' && /^\p{Lu}/u.test(text));

/**
 * Returns the text of each token. Capitals are kept except in the first word of a sentence, and numbers, units and spellings are
 * unified.
 */
export const plainWords = (tokens: readonly Token[]): readonly string[] => {
  const texts = tokens.map((token, index) => {
    const before = tokens[index - 1];
    return lowered(token, before === undefined || endsSentence(before.text));
  });
  const same = hasNames(tokens, texts) ? (text: string) => text : sameWord;
  return tokens.map(({ kind }, index) => {
    const text = texts[index] ?? '';
    const isAfterNumber = tokens[index - 1]?.kind === 'number';
    if (kind === 'name') return isAfterNumber ? (units[text] ?? text) : text;
    if (kind !== 'word') return text;
    if (isAfterNumber) return units[text] ?? text;
    return numberWords[text] ?? (text === 'an' ? 'a' : same(text));
  });
};

const isArticle = (word: string | undefined): boolean => word === 'a';

/** Words that change their meaning after an article. */
const counted = new Set(['few', 'little', 'lot', 'number', 'bit', 'couple', 'while', 'most', 'only', 'same']);

const isPlain = (word: string | undefined): boolean =>
  word !== undefined && /^\p{Ll}/u.test(word) && !joiningWords.has(word) && !counted.has(word) && !isArticle(word);

/**
 * Removes the indefinite articles of nouns. An article that stands alone, or before a name, is kept, because the text is about
 * it, or it is part of the name.
 */
export const withoutArticles = (words: readonly string[]): readonly string[] =>
  words.filter((word, index) => !(isArticle(word) && isPlain(words[index + 1])));
