import { remainder } from '../check-digits/remainder.ts';
import type { NationalId } from './national-id.ts';

/** https://www.insee.fr/fr/metadonnees/definition/c1409 */
export const socialSecurity: NationalId = {
  country: 'FR',
  name: 'numéro de sécurité sociale (NIR)',
  form: /[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/,
  isValid(text) {
    // Corsica's departments have letters.
    const number = text.slice(0, 13).replace('2A', '19').replace('2B', '18');
    return !/\D/.test(number) && 97 - remainder(number, 97) === Number(text.slice(13));
  },
  alone: 'always',
  words: [],
};
