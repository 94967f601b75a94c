import { isDay } from '../check-digits/calendar.ts';
import type { NationalId } from './national-id.ts';

/** Numbers have had no check digit since 2007: https://cpr.dk. */
export const cprNumber: NationalId = {
  country: 'DK',
  name: 'CPR-nummer',
  form: /[0-3]\d[01]\d{3}-?\d{4}/,
  isValid: (text) => isDay(Number(text.slice(0, 2)), Number(text.slice(2, 4))),
  alone: 'never',
  words: ['cpr', 'cpr nummer', 'cpr nr', 'personnummer'],
};
