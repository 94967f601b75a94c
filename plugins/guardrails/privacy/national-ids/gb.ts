import { toDigits, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110 */
export const nationalInsuranceNumber: NationalId = {
  country: 'GB',
  name: 'National Insurance number',
  form: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d{2}){3} ?[A-D]/,
  isValid: (text) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(text),
  alone: 'always',
  words: [],
};

/** https://www.datadictionary.nhs.uk/attributes/nhs_number.html */
export const nhsNumber: NationalId = {
  country: 'GB',
  name: 'NHS number',
  form: /\d{3}([ -]?)\d{3}\1\d{4}/,
  isValid: (text) =>
    (11 - (weightedSum(toDigits(text), [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(text.at(-1)),
  alone: 'never',
  words: ['nhs', 'nhs number', 'nhs no', 'patient number'],
};
