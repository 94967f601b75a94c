const pairs: ReadonlyMap<number | undefined, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

const jsonType = /^(?:application\/json|text\/json|[^;]*\+json)\s*(?:;|$)/;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether the first and the last byte that are no white space are the brackets of one JSON value. */
const isBracketed = (bytes: Uint8Array): boolean => {
  let first = 0;
  let last = bytes.length - 1;
  while (isSpace(bytes[first])) first += 1;
  while (last > first && isSpace(bytes[last])) last -= 1;
  return last > first && bytes[last] === pairs.get(bytes[first]);
};

export interface WholeBody {
  /** In lower case, with its parameters; empty where the provider gave none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** An encoding is still on the bytes, so that they say nothing of what they hold. */
  readonly isEncoded: boolean;
}

/**
 * Why the whole body of a 2xx is not the answer of a modelled operation, which is always JSON; undefined where it may
 * be. Only the type and both ends are looked at: an answer in the client's own dialect is not parsed.
 */
export const unreadableReason = ({ contentType, bytes, isEncoded }: WholeBody): string | undefined => {
  if (contentType !== '' && contentType !== 'application/json' && !jsonType.test(contentType))
    return `its type is ${contentType}, not JSON.`;
  return isEncoded || isBracketed(bytes) ? undefined : 'its body is not a complete JSON object.';
};
