import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://pt.wikipedia.org/wiki/Número_de_identificação_fiscal */
export const taxNumber: NationalId = {
  country: 'PT',
  name: 'número de identificação fiscal (NIF)',
  form: /[1235689]\d{2} ?\d{3} ?\d{3}/,
  isValid(text) {
    const rest = 11 - (weightedSum(toDigits(text), [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
    return (rest > 9 ? 0 : rest) === Number(text.at(-1));
  },
  alone: 'never',
  words: ['nif', 'contribuinte', 'número de contribuinte', 'identificação fiscal'],
};
