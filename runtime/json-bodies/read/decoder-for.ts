import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';

/** The low half of the first byte of the zlib format: the compression method (RFC 1950 §2.2). */
const zlibMethod = 8;

/**
 * Whether the content of `deflate` begins without the header of the zlib format. Servers that leave it out are common enough for
 * clients to read both (RFC 9110 §8.4.1.2).
 */
export const isRawDeflate = ([first = zlibMethod]: Uint8Array): boolean => (first & 15) !== zlibMethod;

/** Creates a decoder for a body that begins with these bytes. */
type CreateDecoder = (begin: Uint8Array) => Transform;

const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', (begin) => (isRawDeflate(begin) ? createInflateRaw() : createInflate())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

/**
 * Returns the encoding of a body in lower case, or an empty string if it has none. Several encodings, in one line or more, are a
 * list.
 */
export const findEncoding = (headers: RawHeaders): string =>
  headers
    .filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'content-encoding')
    .map((value) => value.trim().toLowerCase())
    .join(', ');

/** Whether a `content-encoding`, in lower case, can be decoded. */
export const isDecodable = (encoding: string): boolean => decoders.has(encoding);

/**
 * Returns a decoder for a `content-encoding`, in lower case (RFC 9110 §8.4), and a body that begins with these bytes, of which there
 * is at least one. Undefined for an unknown encoding.
 */
export const decoderFor = (encoding: string, begin: Uint8Array): Transform | undefined =>
  decoders.get(encoding)?.(begin);
