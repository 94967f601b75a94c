import type { Random } from './random.ts';

/**
 * Valid numbers for the corpus. They are built from the published rule, from the front, and share no code with the
 * detectors, which judge whole numbers.
 */
const times = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
export const withLuhn = (front: string): string => {
  let sum = 0;
  for (let index = 0; index < front.length; index += 1) {
    const digit = Number(front[front.length - 1 - index]);
    const doubled = digit * 2;
    sum += index % 2 === 1 ? digit : Math.floor(doubled / 10) + (doubled % 10);
  }
  return `${front}${(10 - (sum % 10)) % 10}`;
};

const withEnding = (
  front: string,
  endings: Iterable<string>,
  accepts: (all: string) => boolean,
): string | undefined => {
  for (const ending of endings) if (accepts(front + ending)) return front + ending;
  return undefined;
};

const digitEndings = '0123456789';

/** Tries fronts until one has a valid last digit. */
export const withSum = (make: () => string, weights: readonly number[], divisor: number): string => {
  for (;;) {
    const made = withEnding(make(), digitEndings, (all) => times(all, weights) % divisor === 0);
    if (made !== undefined) return made;
  }
};

/** https://en.wikipedia.org/wiki/International_Bank_Account_Number */
export const iban = (country: string, account: string): string => {
  const asDigits = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(asDigits(`${account}${country}00`)) % 97n);
  return `${country}${String(check).padStart(2, '0')}${account}`;
};

/** Returns a date of birth as `YYMMDD`, with a day that exists in every month. */
export const birthday = (random: Random): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(random.integer(100))}${two(1 + random.integer(12))}${two(1 + random.integer(28))}`;
};

/** Converts `DDMMYY` to `YYMMDD` and back. */
export const reversedDate = (date: string): string => `${date.slice(4)}${date.slice(2, 4)}${date.slice(0, 2)}`;
