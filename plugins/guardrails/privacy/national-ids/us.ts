import type { NationalId } from './national-id.ts';

const isSocialSecurity = (area: number, group: number, serial: number): boolean =>
  area !== 0 && area !== 666 && area < 900 && group !== 0 && serial !== 0;

const isTaxpayer = (area: number, group: number): boolean =>
  area >= 900 &&
  ((group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group <= 99 && group !== 93));

/** The social security number and, in the same form, the taxpayer's: https://www.ssa.gov/employer/randomization.html. */
export const socialSecurityNumber: NationalId = {
  country: 'US',
  name: 'social security number (SSN, ITIN)',
  form: /\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|\d{9}/,
  isValid(text) {
    const [area, group, serial] = [Number(text.slice(0, 3)), Number(text.slice(3, 5)), Number(text.slice(5))];
    return isSocialSecurity(area, group, serial) || isTaxpayer(area, group);
  },
  alone: 'separated',
  words: ['ssn', 'ssns', 'social security', 'social security number', 'itin', 'taxpayer id', 'tax id'],
};
