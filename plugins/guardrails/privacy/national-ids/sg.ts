import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

const letters: Readonly<Record<string, string>> = {
  S: 'JZIHGFEDCBA',
  T: 'GFEDCBAJZIH',
  F: 'XWUTRQPNMLK',
  G: 'RQPNMLKXWUT',
};

/**
 * The first letter indicates when and to whom the number was issued:
 * https://en.wikipedia.org/wiki/National_Registration_Identity_Card.
 */
export const registrationNumber: NationalId = {
  country: 'SG',
  name: 'NRIC, FIN',
  form: /[STFG]\d{7}[A-Z]/,
  isValid(text) {
    const sum = weightedSum(toDigits(text), [2, 7, 6, 5, 4, 3, 2]);
    return letters[text.slice(0, 1)]?.[sum % 11] === text.at(-1);
  },
  alone: 'always',
  words: [],
};
