import { passesVerhoeff } from '../check-digits/verhoeff.ts';
import type { NationalId } from './national-id.ts';

/** https://uidai.gov.in */
export const aadhaar: NationalId = {
  country: 'IN',
  name: 'Aadhaar',
  form: /(?<!\d{4}[ -])[2-9]\d{3}([ -]?)\d{4}\1\d{4}(?![ -]\d{4})/,
  isValid: passesVerhoeff,
  alone: 'separated',
  words: ['aadhaar', 'aadhar', 'aadhaar number', 'uidai', 'आधार'],
};

/** The fourth letter is the kind of taxpayer: https://incometaxindia.gov.in. */
export const permanentAccountNumber: NationalId = {
  country: 'IN',
  name: 'PAN',
  form: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]/,
  isValid: () => true,
  alone: 'always',
  words: [],
};
