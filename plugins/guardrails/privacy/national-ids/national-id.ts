import { findPattern } from '../search/find-pattern.ts';
import type { Detector } from '../search/finding.ts';
import { wordsBefore } from '../search/words-before.ts';

/** A number by which a country identifies a person. */
export interface NationalId {
  /** The country code according to ISO 3166, as in the check's parameter `countries`. */
  readonly country: string;
  readonly name: string;
  /**
   * Matches the number with and without separators. It must start with an ASCII letter or digit, and its repetitions must be
   * bounded. Word borders are added.
   */
  readonly form: RegExp;
  /** Whether the check digits and the other rules are satisfied. The text is in upper case and has no separators. */
  isValid(text: string): boolean;
  /** When a valid number counts without a word before it. `separated` requires the standard separators. */
  readonly alone: 'always' | 'separated' | 'never';
  /** Words for such a number. */
  readonly words: readonly string[];
}

/** `\b` follows from the condition after it, and rules out most places much faster. */
const bordered = (form: RegExp): RegExp =>
  new RegExp(`\\b(?<![\\p{L}\\p{N}_]|\\d[.,-])(?:${form.source})(?![\\p{L}\\p{N}_]|[.,-]\\d)`, 'u');

/** Finds such numbers by their form, their rules and, if those are weak, the words before them. */
export const findNationalId = ({ form, isValid, alone, words }: NationalId): Detector => {
  const isNamed = wordsBefore(words);
  return findPattern({
    kind: 'national-id',
    pattern: bordered(form),
    accepts(match, { text, from }) {
      const plain = match.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
      if (!isValid(plain)) return false;
      return alone === 'always' || (alone === 'separated' && plain.length < match.length) || isNamed(text, from);
    },
  });
};
