import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://ja.wikipedia.org/wiki/個人番号 */
export const myNumber: NationalId = {
  country: 'JP',
  name: '個人番号',
  form: /\d{4}([ -]?)\d{4}\1\d{4}/,
  isValid(text) {
    const rest = weightedSum(toDigits(text), [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    return (rest <= 1 ? 0 : 11 - rest) === Number(text.at(-1));
  },
  alone: 'never',
  words: ['マイナンバー', '個人番号', 'my number'],
};
