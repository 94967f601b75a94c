import { isUniform, toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://en.wikipedia.org/wiki/Tax_file_number */
export const taxFileNumber: NationalId = {
  country: 'AU',
  name: 'tax file number (TFN)',
  form: /\d{3}([ -]?)\d{3}\1\d{3}/,
  isValid: (text) => !isUniform(text) && weightedSum(toDigits(text), [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  alone: 'never',
  words: ['tfn', 'tax file', 'tax file number'],
};

/** The person's number on the card may follow: https://www.clearwater.com.au/code/medicare. */
export const medicareCard: NationalId = {
  country: 'AU',
  name: 'Medicare card number',
  form: /[2-6]\d{3} ?\d{5} ?\d(?:[ /-]?[1-9])?/,
  isValid: (text) => weightedSum(toDigits(text), [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(text[8]) && text[9] !== '0',
  alone: 'never',
  words: ['medicare', 'medicare card', 'medicare number', 'medicare no'],
};
