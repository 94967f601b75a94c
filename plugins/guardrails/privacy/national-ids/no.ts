import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://www.skatteetaten.no, "Fødselsnummer". */
export const birthNumber: NationalId = {
  country: 'NO',
  name: 'fødselsnummer',
  form: /[0-7]\d[0-9]\d{3} ?\d{5}/,
  isValid(text) {
    const digits = toDigits(text);
    return (
      weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
      weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
    );
  },
  alone: 'separated',
  words: ['fødselsnummer', 'fodselsnummer', 'personnummer', 'fnr', 'd nummer'],
};
