import type { NationalId } from './national-id.ts';

const letters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** The numbers of citizens (DNI) and of foreigners (NIE): https://www.interior.gob.es, "Cálculo del dígito de control". */
export const identityNumber: NationalId = {
  country: 'ES',
  name: 'DNI, NIE',
  form: /(?:\d{2}\.\d{3}\.\d{3}|\d{8}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z]/,
  isValid(text) {
    const digits = text.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
    // Timestamps have the same form: 20240131T, 20240131Z.
    return (
      letters[Number(digits) % 23] === text.at(-1) &&
      !/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[TZ]$/.test(text)
    );
  },
  alone: 'always',
  words: [],
};
