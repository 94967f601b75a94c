import { weightedSum } from '../check-digits/digits.ts';
import { passesMod1110 } from '../check-digits/iso7064.ts';
import type { NationalId } from './national-id.ts';

const isTaxId = (text: string): boolean => {
  const counts = new Map<string, number>();
  for (const digit of text.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return repeated.length === 1 && Math.max(...repeated) <= 3 && passesMod1110(text);
};

/** One digit occurs two or three times among the first ten: https://de.wikipedia.org/wiki/Steuerliche_Identifikationsnummer. */
export const taxIdentification: NationalId = {
  country: 'DE',
  name: 'Steuer-Identifikationsnummer',
  form: /[1-9]\d([ ]?)\d{3}\1\d{3}\1\d{3}/,
  isValid: isTaxId,
  alone: 'separated',
  words: [
    'steuer id',
    'steuerid',
    'steuer idnr',
    'idnr',
    'steueridentifikationsnummer',
    'identifikationsnummer',
    'tin',
    'tax id',
  ],
};

const rank = (character: string): number => Number.parseInt(character, 36);

/** https://de.wikipedia.org/wiki/Ausweisnummer */
export const identityCard: NationalId = {
  country: 'DE',
  name: 'Nummer des Personalausweises',
  form: /[CFGHJ-NPRTV-Z][CFGHJ-NPRTV-Z0-9]{8} ?\d/,
  isValid: (text) =>
    weightedSum(Array.from(text.slice(0, 9), rank), [7, 3, 1, 7, 3, 1, 7, 3, 1]) % 10 === Number(text.at(-1)),
  alone: 'never',
  words: [
    'personalausweis',
    'ausweis',
    'ausweisnummer',
    'ausweis nr',
    'personalausweisnummer',
    'id card',
    'reisepass',
    'passnummer',
  ],
};
