import { isUniform, toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://nl.wikipedia.org/wiki/Burgerservicenummer */
export const citizenServiceNumber: NationalId = {
  country: 'NL',
  name: 'burgerservicenummer (BSN)',
  form: /\d{4}\.\d{2}\.\d{3}|\d{8,9}/,
  isValid: (text) =>
    !isUniform(text) && weightedSum(toDigits(text.padStart(9, '0')), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  alone: 'never',
  words: ['bsn', 'bsn nummer', 'burgerservicenummer', 'sofinummer', 'sofi nummer'],
};
