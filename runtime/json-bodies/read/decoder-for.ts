import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** Whether a `content-encoding`, in lower case, can be decoded. */
export const isDecodable = (encoding: string): boolean => decoders.has(encoding);

/** Returns a decoder for a `content-encoding`, in lower case (RFC 9110 §8.4). Undefined for an unknown one. */
export const decoderFor = (encoding: string): Transform | undefined => decoders.get(encoding)?.();
