import type { NationalId } from './national-id.ts';

const characters = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

const checkDigit = (text: string): number => {
  const sum = Array.from(text.slice(0, 17), (character) => characters.indexOf(character)).reduce(
    (total, value, index) => total + value * (18 - index),
    0,
  );
  return (10 - (sum % 10)) % 10;
};

/** https://www.gob.mx/curp */
export const curp: NationalId = {
  country: 'MX',
  name: 'CURP',
  form: /[A-Z][AEIOUX][A-Z]{2}\d{2}[01]\d[0-3]\d[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z0-9]\d/,
  isValid: (text) => checkDigit(text) === Number(text.at(-1)),
  alone: 'always',
  words: [],
};
