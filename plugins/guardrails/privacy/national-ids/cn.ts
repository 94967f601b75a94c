import { isDay } from '../check-digits/calendar.ts';
import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** The check character is computed by ISO 7064, MOD 11-2: GB 11643-1999. */
export const residentIdentity: NationalId = {
  country: 'CN',
  name: '居民身份证号码',
  form: /[1-8]\d{5}(?:19|20)\d{9}[0-9Xx]/,
  isValid(text) {
    const rest = weightedSum(toDigits(text.slice(0, 17)), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11;
    return isDay(Number(text.slice(12, 14)), Number(text.slice(10, 12))) && '10X98765432'[rest] === text.at(-1);
  },
  alone: 'always',
  words: [],
};
