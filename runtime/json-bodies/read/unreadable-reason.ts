import { closeBrace, closeBracket, isSpace, openBrace, openBracket } from '../../../schema/json/json-bytes.ts';

const pairs: ReadonlyMap<number | undefined, number> = new Map([
  [openBrace, closeBrace],
  [openBracket, closeBracket],
]);

const jsonType = /^(?:application\/json|text\/json|[^;]*\+json)\s*(?:;|$)/;

/** Whether the first and the last byte other than white space are the brackets of one JSON value. */
export const isBracketed = (bytes: Uint8Array): boolean => {
  let first = 0;
  let last = bytes.length - 1;
  while (isSpace(bytes[first])) first += 1;
  while (last > first && isSpace(bytes[last])) last -= 1;
  return last > first && bytes[last] === pairs.get(bytes[first]);
};

/**
 * Returns JSON without the byte order mark before it, which some servers write and clients skip (RFC 8259 §8.1). Returns any other
 * bytes as they are.
 */
export const withoutMark = (bytes: Uint8Array): Uint8Array => {
  if (bytes[0] !== 0xef || bytes[1] !== 0xbb || bytes[2] !== 0xbf) return bytes;
  const rest = bytes.subarray(3);
  return isBracketed(rest) ? rest : bytes;
};

export interface WholeBody {
  /** In lower case, with its parameters. Empty if the provider sent none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Whether the bytes are still encoded, so that their content is unknown. */
  readonly isEncoded: boolean;
}

/**
 * Returns why the whole body of a 2xx cannot be the answer of a modelled operation, which is always JSON. Undefined if it may be.
 * Only the type and both ends are examined, because an answer in the client's own dialect is not parsed.
 */
export const unreadableReason = ({ contentType, bytes, isEncoded }: WholeBody): string | undefined => {
  if (contentType !== '' && contentType !== 'application/json' && !jsonType.test(contentType))
    return `its type is ${contentType}, not JSON.`;
  return isEncoded || isBracketed(bytes) ? undefined : 'its body is not a complete JSON object.';
};
