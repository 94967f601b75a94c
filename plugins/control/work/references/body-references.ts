import { gatewayError } from '../../../../schema/errors/errors.ts';
import { refuseRepeatedKey } from '../../../../schema/errors/refuse-repeated-key.ts';
import { isSpace, openBrace, openBracket } from '../../../../schema/json/json-bytes.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { mayRefer } from './reference-marks.ts';
import { type Reference, referencesIn } from './references-in.ts';

const opens = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket;

/** Whether JSON is in UTF-16 or UTF-32, as some providers read it: two bytes or more are then one character. */
const isWide = (bytes: Buffer): boolean => {
  const first = bytes[0] ?? 0;
  const second = bytes[1] ?? 0;
  if (first + second === 0xfe + 0xff && Math.min(first, second) === 0xfe) return true;
  return (first === 0 || second === 0) && bytes.subarray(0, 4).some(opens);
};

const beginsJson = (bytes: Buffer): boolean => {
  let at = 0;
  while (isSpace(bytes[at])) at += 1;
  // The mark of UTF-8.
  if (bytes[at] === 0xef) at += 3;
  return opens(bytes[at]);
};

/** What a body names, nearly always. */
export const noReferences: readonly Reference[] = [];

/**
 * The ids that a body in JSON names; none of any other body. Throws the `GatewayError` `malformed-body` for one that may name
 * some, and that providers may read as something else.
 */
export const bodyReferences = (bytes: Buffer, dialect?: string): readonly Reference[] => {
  if (isWide(bytes)) throw gatewayError('malformed-body', { reason: 'it is not in UTF-8.' });
  if (!mayRefer(bytes, dialect) || !beginsJson(bytes)) return noReferences;
  const body = parseJson(bytes.toString());
  if (body === undefined) throw gatewayError('malformed-body', { reason: 'it cannot be parsed.' });
  refuseRepeatedKey(bytes);
  return [...referencesIn(body)];
};
