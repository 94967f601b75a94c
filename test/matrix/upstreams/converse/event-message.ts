import { crc32 } from 'node:zlib';

/** Encodes a string value (type 7), preceded by its name. */
const header = (name: string, value: string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), Buffer.from([7]), length, bytes]);
};

const withChecksum = (bytes: Buffer): Buffer => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([bytes, sum]);
};

/**
 * Encodes a message of an AWS event stream: the total length, the length of the headers and a checksum of both, the headers,
 * the payload, and a checksum of everything. https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export const eventMessage = (headers: Readonly<Record<string, string>>, payload: string): Buffer => {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(8 + 4 + head.length + body.length + 4, 0);
  lengths.writeUInt32BE(head.length, 4);
  return withChecksum(Buffer.concat([withChecksum(lengths), head, body]));
};
