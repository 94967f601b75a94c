import { gatewayError } from '../../../../schema/errors/errors.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { ByteRange } from '../blobs/blob-storage.ts';

export interface Measured {
  readonly bytes: number;
  /** As the header `etag` has it. */
  readonly etag: string;
}

/**
 * The part that a request asks for (RFC 9110 §14); undefined if it asks for all, in several ranges or in another unit, or for
 * a part of what it does not have. Throws the `GatewayError` `range-not-satisfiable`.
 */
export const findRange = (headers: RawHeaders, { bytes, etag }: Measured): ByteRange | undefined => {
  const condition = headerValue(headers, 'if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headerValue(headers, 'range') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const from = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const to = first === '' || last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  if (from < to) return { from, to };
  throw gatewayError(
    'range-not-satisfiable',
    { bytes: String(bytes) },
    { headers: ['content-range', `bytes */${bytes}`] },
  );
};
