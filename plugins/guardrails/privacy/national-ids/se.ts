import { isDay } from '../check-digits/calendar.ts';
import { passesLuhn } from '../check-digits/luhn.ts';
import type { NationalId } from './national-id.ts';

/** The day of a coordination number is 60 higher: https://skatteverket.se, "Personnummer". */
export const personalNumber: NationalId = {
  country: 'SE',
  name: 'personnummer',
  form: /(?:19|20)?\d{6}[+-]?\d{4}/,
  isValid(text) {
    const short = text.slice(-10);
    return isDay(Number(short.slice(4, 6)) % 60, Number(short.slice(2, 4))) && passesLuhn(short);
  },
  alone: 'separated',
  words: ['personnummer', 'personnr', 'samordningsnummer', 'pnr'],
};
