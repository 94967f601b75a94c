import { toDigits } from './digits.ts';

/** The multiplication of the dihedral group of order ten. */
const product = (a: number, b: number): number => {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5;
  return b < 5 ? ((a - b) % 5) + 5 : (a - b + 5) % 5;
};

const step = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const;

const permuted = (digit: number, times: number): number => {
  let result = digit;
  for (let done = 0; done < times; done += 1) result = step[result] ?? 0;
  return result;
};

/** Whether the Verhoeff check digit is right: https://en.wikipedia.org/wiki/Verhoeff_algorithm. */
export const passesVerhoeff = (text: string): boolean =>
  toDigits(text)
    .toReversed()
    .reduce((check, digit, index) => product(check, permuted(digit, index % 8)), 0) === 0;
