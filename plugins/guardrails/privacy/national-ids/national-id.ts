import { findPattern } from '../search/find-pattern.ts';
import type { Detector } from '../search/finding.ts';
import { wordsBefore } from '../search/words-before.ts';

/** A number by which a country knows a person. */
export interface NationalId {
  /** ISO 3166, as the check's parameter `countries` has it. */
  readonly country: string;
  readonly name: string;
  /**
   * With and without separators; it begins with a letter or digit of ASCII, and its repetitions are bounded. Borders of words
   * are added.
   */
  readonly form: RegExp;
  /** Whether the check digits and the other rules hold. The text is in upper case and has no separators. */
  isValid(text: string): boolean;
  /** When a valid number is one without a word before it: `separated` needs the standard separators. */
  readonly alone: 'always' | 'separated' | 'never';
  /** Words that name it. */
  readonly words: readonly string[];
}

/** `\b` follows from the condition behind it, and refuses most places in much less time. */
const bordered = (form: RegExp): RegExp =>
  new RegExp(`\\b(?<![\\p{L}\\p{N}_]|\\d[.,-])(?:${form.source})(?![\\p{L}\\p{N}_]|[.,-]\\d)`, 'u');

/** Finds such numbers, by their form, their rules and, where those are weak, the words before them. */
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
