/**
 * Country calling codes (https://www.itu.int/pub/T-SP-E.164D), with the maximum number of digits for countries with short
 * numbers.
 */
const oneDigit = '1:11 7:11';
const twoDigits =
  '20 27:11 30:12 31:11 32:11 33:11 34:11 36:11 39:13 40:11 41:11 43 44:12 45:10 46:12 47:10 48:11 49 51:11 52:12 53 54:13 55:13 56:11 57:12 58:12 60:12 61:11 62 63:12 64:12 65:10 66:11 81:12 82:12 84:12 86:13 90:12 91:12 92:12 93:11 94:11 95:12 98:12';
/** The first two digits of codes that have a third. */
const beginningsOfThree = '21 22 23 24 25 26 29 35 37 38 42 50 59 67 68 69 80 85 87 88 96 97 99';

const longest = 15;

const maxDigits: ReadonlyMap<string, number> = new Map([
  ...`${oneDigit} ${twoDigits}`.split(' ').map((each) => {
    const [code = '', digits] = each.split(':');
    return [code, Number(digits ?? longest)] as const;
  }),
  ...beginningsOfThree.split(' ').map((code) => [code, longest] as const),
]);

/**
 * Returns the maximum number of digits of an international number, including its calling code. Undefined if no country has the
 * code.
 */
export const findMaxDigits = (digits: string): number | undefined =>
  maxDigits.get(digits.slice(0, 1)) ?? maxDigits.get(digits.slice(0, 2));
