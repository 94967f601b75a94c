import { toDigits } from './digits.ts';

/** Whether the check digit of ISO/IEC 7812 is right. Every second digit from the right is doubled. */
export const passesLuhn = (text: string): boolean => {
  const sum = toDigits(text)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? digit : digit * 2;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
};
