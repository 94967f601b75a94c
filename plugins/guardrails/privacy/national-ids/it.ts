import type { NationalId } from './national-id.ts';

/** The values of `0` to `9` and `A` to `Z` at odd positions. At even positions, their own values are used. */
const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23] as const;

const rank = (character: string): number => {
  const value = Number.parseInt(character, 36);
  return value < 10 ? value : value - 10;
};

const checkLetter = (text: string): string => {
  const sum = Array.from(text.slice(0, 15), rank).reduce(
    (total, value, index) => total + (index % 2 === 0 ? (odd[value] ?? 0) : value),
    0,
  );
  return String.fromCharCode(65 + (sum % 26));
};

/** Digits may be replaced by letters if two people had the same code: https://it.wikipedia.org/wiki/Codice_fiscale. */
export const taxCode: NationalId = {
  country: 'IT',
  name: 'codice fiscale',
  form: /[A-Za-z]{6}[0-9LMNPQRSTUVlmnpqrstuv]{2}[A-EHLMPRSTa-ehlmprst][0-9LMNPQRSTUVlmnpqrstuv]{2}[A-Za-z][0-9LMNPQRSTUVlmnpqrstuv]{3}[A-Za-z]/,
  isValid: (text) => /\d/.test(text) && checkLetter(text) === text.at(-1),
  alone: 'always',
  words: [],
};
