/** The digits of base 64 in the order of their bytes, so that short ids sort as the ids do. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const usual = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const digitOf: ReadonlyMap<string, string> = new Map([...usual].map((digit, at) => [digit, digits[at] ?? '']));

const uuid = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(~corrected)?$/;
const short = /^[-\w]{22}~?$/;

/**
 * An id in fewer characters, as the ledger keeps it: 22 for a UUID, and `~` behind it for its correction. Others stay as they
 * are; two ids have never the same short one.
 */
export const shortId = (id: string): string => {
  const parts = uuid.exec(id);
  if (parts === null) return short.test(id) || id.startsWith('~') ? `~${id}` : id;
  const [, one = '', two = '', three = '', four = '', five = '', correction] = parts;
  let text = '';
  for (const digit of Buffer.from(one + two + three + four + five, 'hex').toString('base64url'))
    text += digitOf.get(digit) ?? '';
  return correction === undefined ? text : `${text}~`;
};
