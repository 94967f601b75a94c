import { passesLuhn } from '../check-digits/luhn.ts';
import type { NationalId } from './national-id.ts';

/** No number starts with 8: https://en.wikipedia.org/wiki/Social_insurance_number. */
export const socialInsuranceNumber: NationalId = {
  country: 'CA',
  name: 'social insurance number (SIN)',
  form: /[0-79]\d{2}([ -]?)\d{3}\1\d{3}/,
  isValid: passesLuhn,
  alone: 'never',
  words: ['sin', 'sin number', 'social insurance', 'social insurance number', 'nas', 'assurance sociale'],
};
