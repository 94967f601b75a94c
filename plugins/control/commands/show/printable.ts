import { stripVTControlCharacters } from 'node:util';

/**
 * A text of others on one line of a terminal: without escape sequences, control characters, marks that change the direction
 * of writing, and other characters that are not seen.
 */
export const printable = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\p{Cs}/gu, '\uFFFD');
