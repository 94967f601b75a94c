import { passesLuhn } from '../check-digits/luhn.ts';
import { findPattern } from '../search/find-pattern.ts';
import type { Detector } from '../search/finding.ts';
import { wordsBefore } from '../search/words-before.ts';

/** The prefixes of the networks, with the lengths of their numbers: https://en.wikipedia.org/wiki/Payment_card_number. */
const networks: readonly { readonly prefix: RegExp; readonly lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] }, // Visa
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { prefix: /^3[47]/, lengths: [15] }, // American Express
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] }, // Discover
  { prefix: /^62/, lengths: [16, 17, 18, 19] }, // UnionPay
  { prefix: /^(?:30[0-5]|3095|36|38|39)/, lengths: [14, 16] }, // Diners Club
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] }, // JCB
  { prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [16, 18, 19] }, // Maestro
  { prefix: /^220[0-4]/, lengths: [16, 17, 18, 19] }, // Mir
];

/** Article numbers (EAN) have thirteen digits, like old Visa cards, and their check digits often match. */
const isArticleLong = 13;

const namesCard = wordsBefore([
  'card',
  'credit card',
  'debit card',
  'visa',
  'kreditkarte',
  'kreditkartennummer',
  'kartennummer',
  'carte',
  'tarjeta',
  'carta',
  'cartão',
]);

/** Whether the digits are those of a card: they have a network's prefix and length, and the check digit is right. */
const isCard = (digits: string): boolean =>
  networks.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) && passesLuhn(digits);

/** Finds numbers of payment cards, in one piece or in the groups that are printed on them. */
export const findCards: Detector = findPattern({
  kind: 'card',
  pattern:
    /(?<![\p{L}\p{N}_.]|\d{4}[ \u00A0-])(?:\d{13,19}|\d{4}(?<gap>[ \u00A0-])(?:\d{4}\k<gap>\d{4}\k<gap>\d{4}|\d{6}\k<gap>\d{4,5}))(?![\p{L}\p{N}_]|\.\d|[\u00A0 -]\d{4}(?!\d))/u,
  accepts(match, { text, from }) {
    const digits = match.replaceAll(/\D/g, '');
    return isCard(digits) && (digits.length !== isArticleLong || namesCard(text, from));
  },
});
