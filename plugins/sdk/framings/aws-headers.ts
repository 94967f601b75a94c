const textType = 7;

/** The length of a header's value by its type, where the type has only one length. */
const fixedLengths: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

const invalid = (): Error => new Error('The headers of a message are invalid.');

/** Values are given as texts: numbers and times in decimal, UUIDs in hexadecimal, bytes in Base64. */
const toText = (type: number, value: Buffer): string => {
  switch (type) {
    case 0:
      return 'true';
    case 1:
      return 'false';
    case 2:
    case 3:
    case 4:
      return String(value.readIntBE(0, value.length));
    case 5:
    case 8:
      return String(value.readBigInt64BE());
    case 6:
      return value.toString('base64');
    case textType:
      return value.toString('utf8');
    default:
      return value.toString('hex');
  }
};

/**
 * The headers of a message: https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html. Each has a name, the
 * type of its value, and the value, which begins with its length if the type does not give it.
 */
export const readHeaders = (bytes: Buffer): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  let at = 0;
  /** Moves past the next bytes, and gives where they begin. */
  const pass = (length: number): number => {
    const from = at;
    at += length;
    if (at > bytes.length) throw invalid();
    return from;
  };
  while (at < bytes.length) {
    const nameLength = bytes.readUInt8(pass(1));
    const nameAt = pass(nameLength);
    const name = bytes.toString('utf8', nameAt, at);
    const type = bytes.readUInt8(pass(1));
    if (nameLength === 0 || type >= fixedLengths.length) throw invalid();
    const length = fixedLengths[type] ?? bytes.readUInt16BE(pass(2));
    const valueAt = pass(length);
    headers.set(name, toText(type, bytes.subarray(valueAt, at)));
  }
  return headers;
};

/** The number of bytes that a header with a text as its value takes. */
export const headerLength = (name: string, value: string): number =>
  4 + Buffer.byteLength(name) + Buffer.byteLength(value);

/** Writes a header with a text as its value at `at`, and returns where it ends. */
export const writeHeader = (bytes: Buffer, at: number, [name, value]: readonly [string, string]): number => {
  const nameEnd = at + 1 + bytes.write(name, at + 1);
  const valueAt = nameEnd + 3;
  const end = valueAt + bytes.write(value, valueAt);
  bytes.writeUInt8(nameEnd - at - 1, at);
  bytes.writeUInt8(textType, nameEnd);
  bytes.writeUInt16BE(end - valueAt, nameEnd + 1);
  return end;
};
