import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://en.wikipedia.org/wiki/Turkish_Identification_Number */
export const identificationNumber: NationalId = {
  country: 'TR',
  name: 'T.C. kimlik numarası',
  form: /[1-9]\d{10}/,
  isValid(text) {
    const digits = toDigits(text);
    const tenth = weightedSum(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10;
    return (tenth + 10) % 10 === digits[9] && weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10 === digits[10];
  },
  alone: 'never',
  words: ['tc kimlik', 'kimlik', 'kimlik no', 'kimlik numarası', 'tckn', 't.c. kimlik no'],
};
