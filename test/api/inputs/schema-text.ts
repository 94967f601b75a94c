import fc from 'fast-check';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { Random } from '../../fuzz/support/random.ts';

const pieces: readonly string[] = [
  ...['a', 'b', 'Z', '0', '9', '-', '_', '.', ' ', '/', '@', '{{', '}}', '"', "'", '\\', '<b>', '&', '%', ';--', ':'],
  ...['é', 'ß', '漢', '🎉', '\u200f', '\n', '\t', '\u2028', '\ufeff'],
];

/** Generates a text of 1 to about `length` characters of many kinds. */
export const anyText = (random: Random, length: number): string =>
  random.some(random.oneIn(3) ? pieces : pieces.slice(0, 8), 1 + random.below(length)).join('');

/** The texts for each pattern, generated once. The seed of the run decides which one is used. */
const texts = new Map<string, readonly string[]>();

const matching = (pattern: string): readonly string[] => {
  const known = texts.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 100, seed: 1 });
  texts.set(pattern, known);
  return known;
};

/** Fills a text to the maximum length. */
const filled = (text: string, length: number): string => {
  const characters = Array.from(text === '' ? 'x' : text);
  return Array.from({ length }, (_, at) => characters[at % characters.length]).join('');
};

const longest = 5000;

/** Generates a text that matches a schema. */
export const textFor = ({ pattern, minLength = 0, maxLength }: ParameterSchema, random: Random): string => {
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    const isLong = length < minLength || length > (maxLength ?? longest);
    return !isLong && (pattern === undefined || new RegExp(pattern).test(text));
  };
  if (minLength === 0 && pattern === undefined && random.oneIn(20)) return '';
  const text = pattern === undefined ? anyText(random, 20) : random.pick(matching(pattern));
  const bound = random.oneIn(12) ? filled(text, maxLength ?? longest) : text;
  return [bound, text].find(fits) ?? filled(text, Math.max(1, minLength));
};
