import { isDay } from '../check-digits/calendar.ts';
import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** The month also encodes the century: https://pl.wikipedia.org/wiki/PESEL. */
export const pesel: NationalId = {
  country: 'PL',
  name: 'PESEL',
  form: /\d{11}/,
  isValid: (text) =>
    isDay(Number(text.slice(4, 6)), Number(text.slice(2, 4)) % 20) &&
    weightedSum(toDigits(text), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  alone: 'never',
  words: ['pesel', 'peselu', 'nr pesel', 'numer pesel'],
};
