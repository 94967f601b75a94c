import { crc32 } from 'node:zlib';

const textType = 7;

/** The length of a header's value by its type, for types with a fixed length. */
const fixedLengths: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

const invalid = (): Error => new Error('The headers of a message are invalid.');

/** Converts a value to text: numbers and times in decimal, UUIDs in hexadecimal, bytes in Base64. */
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
 * Reads the headers of a message: https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html. Each has a name, the
 * type of its value, and the value, which is preceded by its length unless the type has a fixed one.
 */
const readHeaders = (bytes: Buffer): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  let at = 0;
  /** Skips the next bytes and returns where they start. */
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

/** Returns the number of bytes of a header with a text value. */
const headerLength = (name: string, value: string): number => 4 + Buffer.byteLength(name) + Buffer.byteLength(value);

/** Writes a header with a text value at `at`, and returns where it ends. */
const writeHeader = (bytes: Buffer, at: number, [name, value]: readonly [string, string]): number => {
  const nameEnd = at + 1 + bytes.write(name, at + 1);
  const valueAt = nameEnd + 3;
  const end = valueAt + bytes.write(value, valueAt);
  bytes.writeUInt8(nameEnd - at - 1, at);
  bytes.writeUInt8(textType, nameEnd);
  bytes.writeUInt16BE(end - valueAt, nameEnd + 1);
  return end;
};

/** The lengths of a message and of its headers, and their checksum. */
export const preludeBytes = 12;

const checksumBytes = 4;

/** The bytes of a message besides headers and payload. */
const frameBytes: number = preludeBytes + checksumBytes;

/** The limit in the vendor's own clients: https://github.com/awslabs/aws-c-event-stream. */
const maxMessageBytes: number = 24 * 1024 * 1024;
const maxHeadersBytes: number = 128 * 1024;

/** One message of an AWS event stream. */
export interface AwsMessage {
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

/** Returns the length of the message that starts at `from`. At least its prelude must be available. */
export const messageLength = (bytes: Buffer, from: number): number => {
  const length = bytes.readUInt32BE(from);
  const headersLength = bytes.readUInt32BE(from + 4);
  if (crc32(bytes.subarray(from, from + 8)) !== bytes.readUInt32BE(from + 8))
    throw new Error('The checksum of the lengths of a message is wrong.');
  if (length < frameBytes || length > maxMessageBytes)
    throw new Error(`A message cannot be ${length} bytes long: at least ${frameBytes}, at most ${maxMessageBytes}.`);
  if (headersLength > maxHeadersBytes || headersLength > length - frameBytes)
    throw new Error(`The headers of a message of ${length} bytes cannot be ${headersLength} bytes long.`);
  return length;
};

/** Reads a complete message whose lengths `messageLength` has validated. */
export const readMessage = (message: Buffer): AwsMessage => {
  const end = message.length - checksumBytes;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end))
    throw new Error('The checksum of a message is wrong.');
  const payloadAt = preludeBytes + message.readUInt32BE(4);
  return {
    headers: readHeaders(message.subarray(preludeBytes, payloadAt)),
    payload: message.subarray(payloadAt, end),
  };
};

/** Writes a message whose headers are all texts. */
export const writeMessage = (headers: Iterable<readonly [string, string]>, payload: string): Buffer => {
  const list = [...headers];
  const headersLength = list.reduce((length, [name, value]) => length + headerLength(name, value), 0);
  const length = frameBytes + headersLength + Buffer.byteLength(payload);
  const message = Buffer.allocUnsafe(length);
  message.writeUInt32BE(length, 0);
  message.writeUInt32BE(headersLength, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  const payloadAt = list.reduce((at, header) => writeHeader(message, at, header), preludeBytes);
  message.write(payload, payloadAt);
  message.writeUInt32BE(crc32(message.subarray(0, length - checksumBytes)), length - checksumBytes);
  return message;
};
