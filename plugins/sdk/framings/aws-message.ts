import { crc32 } from 'node:zlib';
import { headerLength, readHeaders, writeHeader } from './aws-headers.ts';

/** The lengths of a message and of its headers, and their checksum. */
export const preludeBytes = 12;

const checksumBytes = 4;

/** What a message has besides headers and payload. */
const frameBytes: number = preludeBytes + checksumBytes;

/** https://github.com/awslabs/aws-c-event-stream: the limits of the vendor's own clients. */
const maxMessageBytes: number = 24 * 1024 * 1024;
const maxHeadersBytes: number = 128 * 1024;

/** One message of an AWS event stream. */
export interface AwsMessage {
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

/** The length of the message that begins at `from`, of which at least the prelude is there. */
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

/** Reads a complete message, whose lengths `messageLength` has found to be valid. */
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
