import { toDigits } from './digits.ts';

/** Whether the check digit of ISO 7064, MOD 11,10 is right. */
export const passesMod1110 = (text: string): boolean => {
  const digits = toDigits(text);
  const product = digits.slice(0, -1).reduce((value, digit) => {
    const sum = (value + digit) % 10;
    return ((sum === 0 ? 10 : sum) * 2) % 11;
  }, 10);
  return (11 - product) % 10 === digits.at(-1);
};
