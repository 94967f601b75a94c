import { isDay } from '../check-digits/calendar.ts';
import { findsCheckCharacter } from './finnish-check.ts';
import type { NationalId } from './national-id.ts';

/** The sign between date and number indicates the century: https://dvv.fi/en/personal-identity-code. */
export const personalIdentityCode: NationalId = {
  country: 'FI',
  name: 'henkilötunnus',
  form: /[0-3]\d[01]\d{3}[+A-FU-Y-]\d{3}[0-9A-FHJ-NPR-Y]/,
  isValid: (text) => isDay(Number(text.slice(0, 2)), Number(text.slice(2, 4))) && findsCheckCharacter(text),
  alone: 'always',
  words: [],
};
