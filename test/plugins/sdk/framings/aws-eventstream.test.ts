import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { awsEventStream } from '../../../../plugins/sdk/framings/aws-eventstream.ts';
import { split } from './split.ts';

/** Encoded with AWS's encoder, @smithy/eventstream-codec 4.5.2. */
const ofEveryType = Buffer.from(
  '000000ac00000092cef45f960b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a6d6573736167652d74797065' +
    '0700056576656e740379657300026e6f01046279746502fb0573686f727403fed403696e740400009c40046c6f6e6705fffffffffffffff903' +
    '62696e0600030102ff0261740800000199c82cc000047575696409123456789abcdef0123456789abcdef07b2261223a22c3a9227d92086eba',
  'hex',
);
const ofException = Buffer.from(
  '0000008300000061a9d144e50f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e' +
    '742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373' +
    '616765223a22536c6f77227d94fc342a',
  'hex',
);

const read = (...chunks: readonly Buffer[]): ReturnType<typeof split> => split(awsEventStream.createSplitter(), chunks);
const exception: Frame = {
  event: 'throttlingException',
  data: '{"message":"Slow"}',
  headers: { ':message-type': 'exception' },
};

/** A message with valid checksums, whatever its length fields contain. */
const message = ({ headers = Buffer.alloc(0), length }: { headers?: Buffer; length?: number }): Buffer => {
  const bytes = Buffer.alloc(16 + headers.length);
  bytes.writeUInt32BE(length ?? bytes.length, 0);
  bytes.writeUInt32BE(headers.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  headers.copy(bytes, 12);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
};

describe('an AWS event stream', () => {
  it('converts headers of every type to strings', () => {
    expect(read(ofEveryType).frames).toEqual([
      {
        event: 'contentBlockDelta',
        data: '{"a":"é"}',
        headers: {
          yes: 'true',
          no: 'false',
          byte: '-5',
          short: '-300',
          int: '40000',
          long: '-7',
          bin: 'AQL/',
          at: '1760000000000',
          uuid: '123456789abcdef0123456789abcdef0',
        },
      },
    ]);
  });

  it('reads an exception as a frame that names its message type', () => {
    expect(read(ofException).frames).toEqual([exception]);
  });

  it("writes an exception as long as AWS's encoder does", () => {
    // The order of headers has no meaning. AWS's encoder was given the event first.
    const [frame] = read(awsEventStream.createWriter().write([exception])).frames;
    expect(frame).toEqual(exception);
    expect(awsEventStream.createWriter().write([exception])).toHaveLength(ofException.length);
  });

  it.each([
    ['a checksum of the lengths', 8, 'The checksum of the lengths of a message is wrong.'],
    ['a checksum of the message', ofException.length - 1, 'The checksum of a message is wrong.'],
    ['a payload', ofException.length - 6, 'The checksum of a message is wrong.'],
  ])('rejects %s that is wrong', (_what, at, reason) => {
    const bytes = Buffer.from(ofException);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(read(bytes).error).toEqual(new Error(reason));
  });

  it.each([15, 24 * 1024 * 1024 + 1, 0xffff_ffff])(
    'rejects a message of %i bytes as soon as its prelude has arrived',
    (length) => {
      expect(String(read(message({ length }).subarray(0, 12)).error)).toContain(`cannot be ${length} bytes long`);
    },
  );

  it('rejects headers that exceed their message or the limit for headers', () => {
    const bytes = message({ headers: Buffer.alloc(20), length: 35 });
    expect(String(read(bytes).error)).toContain('The headers of a message of 35 bytes cannot be 20 bytes long.');
    expect(String(read(message({ headers: Buffer.alloc(128 * 1024 + 1) })).error)).toContain('cannot be 131073 bytes');
  });

  it.each([
    ['a name that is cut off', Buffer.from([9, 97])],
    ['an empty name', Buffer.from([0, 0])],
    ['an unknown type', Buffer.from([1, 97, 10])],
    ['a value without an end', Buffer.from([1, 97, 7, 0, 9, 98])],
    ['a length without an end', Buffer.from([1, 97, 7, 0])],
  ])('rejects headers with %s', (_what, headers) => {
    expect(read(message({ headers })).error).toEqual(new Error('The headers of a message are invalid.'));
  });

  it('returns the messages before an error, and then the error, even if one chunk contains both', () => {
    const result = read(Buffer.concat([ofException, Buffer.alloc(12)]));
    expect(result.frames).toEqual([exception]);
    expect(result.bytes).toHaveLength(ofException.length);
    expect(result.error).toBeInstanceOf(Error);
    const splitter = awsEventStream.createSplitter();
    expect(() => splitter.push(Buffer.alloc(12))).toThrow('The checksum of the lengths');
    expect(() => splitter.push(ofException)).toThrow('The checksum of the lengths');
  });

  it('returns no frame for a truncated message', () => {
    const result = read(ofException, ofException.subarray(0, -1));
    expect(result.frames).toEqual([exception]);
    expect(result.bytes).toHaveLength(2 * ofException.length - 1);
  });
});
