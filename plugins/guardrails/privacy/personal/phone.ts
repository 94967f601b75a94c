import { findPattern } from '../search/find-pattern.ts';
import type { Detector, Finding } from '../search/finding.ts';
import { marksIn } from '../search/marks-in.ts';
import { followsWord, isWordAt } from '../search/word-borders.ts';
import { findMaxDigits } from './calling-codes.ts';
import { groupedDigits } from './grouped-digits.ts';
import { phoneWords } from './phone-words.ts';

/** The minimum number of digits of an international number, including its calling code, and of a national one. */
const fewest = { international: 8, national: 7 };
const maxNational = 13;
/** Matches what is between a word such as "phone" and the number. */
const between = /[^\d\n()\]+]{0,30}\n?[^\d\n()\]+]{0,10}(?=[\d(])/y;
const looksLikeDate = /^(?:(?:19|20)\d\d[./-]?[01]?\d[./-]?[0-3]?\d|[0-3]?\d[./-][01]?\d[./-](?:19|20)\d\d)$/;

/** Finds numbers that start with `+` and a calling code. */
const findInternational: Detector = (text) => {
  const found: Finding[] = [];
  for (const from of marksIn(text, '+')) {
    if (followsWord(text, from) || /[+~]/.test(text.charAt(from - 1)) || !/[\d(]/.test(text.charAt(from + 1))) continue;
    const max = findMaxDigits(text.slice(from + 1, from + 5).replaceAll(/\D/g, ''));
    const number = max === undefined ? undefined : groupedDigits(text, from + 1, max);
    if (number === undefined || number.digits.length < fewest.international || isWordAt(text, number.to)) continue;
    found.push({ kind: 'phone', from, to: number.to });
  }
  return found;
};

/** Finds numbers shortly after a word for them. */
const findNamed: Detector = (text) => {
  const found: Finding[] = [];
  for (const match of text.matchAll(phoneWords)) {
    between.lastIndex = match.index + match[0].length;
    if (!between.test(text)) continue;
    const from = between.lastIndex;
    const number = followsWord(text, from) ? undefined : groupedDigits(text, from, maxNational);
    if (number === undefined || number.digits.length < fewest.national || isWordAt(text, number.to)) continue;
    if (!looksLikeDate.test(text.slice(from, number.to))) found.push({ kind: 'phone', from, to: number.to });
  }
  return found;
};

/** Finds North American numbers, whose area code and exchange start with 2 to 9. */
const findAmerican = findPattern({
  kind: 'phone',
  pattern: /(?<![\p{L}\p{N}_.+-]|\d[ -])(?:\([2-9]\d{2}\) ?|[2-9]\d{2}-)[2-9]\d{2}-\d{4}(?![\p{L}\p{N}_]|[.-]\d)/u,
});

/** Finds phone numbers: international ones, North American ones in their usual form, and others after a word for them. */
export const findPhones: Detector = (text) => [...findInternational(text), ...findNamed(text), ...findAmerican(text)];
