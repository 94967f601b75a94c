/** Returns the remainder of a decimal number of any length. */
export const remainder = (digits: string, divisor: number): number =>
  Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % divisor, 0);
