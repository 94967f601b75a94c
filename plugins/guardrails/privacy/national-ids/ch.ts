import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** The check digit is computed as for article numbers: https://www.zas.admin.ch, "Die AHV-Nummer". */
export const ahvNumber: NationalId = {
  country: 'CH',
  name: 'AHV-Nummer',
  form: /756\.\d{4}\.\d{4}\.\d{2}|756 ?\d{4} ?\d{4} ?\d{2}/,
  isValid: (text) => weightedSum(toDigits(text), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  alone: 'separated',
  words: ['ahv', 'ahv nummer', 'ahv nr', 'avs', 'numéro avs', 'sozialversicherungsnummer'],
};
