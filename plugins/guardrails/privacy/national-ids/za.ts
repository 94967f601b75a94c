import { isDay } from '../check-digits/calendar.ts';
import { passesLuhn } from '../check-digits/luhn.ts';
import type { NationalId } from './national-id.ts';

/** A date of birth, four digits, the citizenship: https://en.wikipedia.org/wiki/South_African_identity_card. */
export const identityNumber: NationalId = {
  country: 'ZA',
  name: 'identity number',
  form: /\d{6} ?\d{4} ?[012]\d\d/,
  isValid: (text) => isDay(Number(text.slice(4, 6)), Number(text.slice(2, 4))) && passesLuhn(text),
  alone: 'never',
  words: ['id number', 'identity number', 'id no', 'sa id', 'rsa id'],
};
