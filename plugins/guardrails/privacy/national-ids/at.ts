import { isDay } from '../check-digits/calendar.ts';
import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** The month can be 13 to 15, if all numbers of a day were used: https://de.wikipedia.org/wiki/Sozialversicherungsnummer. */
export const socialInsurance: NationalId = {
  country: 'AT',
  name: 'Sozialversicherungsnummer',
  form: /[1-9]\d{3} ?\d{6}/,
  isValid(text) {
    const month = Number(text.slice(6, 8));
    const check = weightedSum(toDigits(text), [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11;
    return isDay(Number(text.slice(4, 6)), month > 12 && month <= 15 ? 1 : month) && check === Number(text[3]);
  },
  alone: 'separated',
  words: ['sozialversicherungsnummer', 'sozialversicherung', 'sv nummer', 'svnr', 'svnummer', 'versicherungsnummer'],
};
