import { remainder } from '../check-digits/remainder.ts';
import type { NationalId } from './national-id.ts';

/**
 * From the year 2000 on, the check digits are computed with a 2 before the number:
 * https://nl.wikipedia.org/wiki/Rijksregisternummer.
 */
export const nationalRegisterNumber: NationalId = {
  country: 'BE',
  name: 'rijksregisternummer',
  form: /\d{2}\.[0-5]\d\.[0-3]\d-\d{3}\.\d{2}|\d{2}[0-5]\d[0-3]\d\d{5}/,
  isValid(text) {
    const check = Number(text.slice(9));
    return [text.slice(0, 9), `2${text.slice(0, 9)}`].some((number) => 97 - remainder(number, 97) === check);
  },
  alone: 'separated',
  words: ['rijksregisternummer', 'rijksregister', 'numéro national', 'registre national', 'insz', 'niss'],
};
