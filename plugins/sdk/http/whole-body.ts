import { gatewayError } from '../../../schema/errors/errors.ts';
import type { RequestBody } from './http.ts';

/** The most bytes that are read where a provider does not say how many its service takes. */
const defaultLimit = 25_000_000;

/**
 * The body in one piece, for a signature that covers all of it: what is passed through comes as a stream. Throws the
 * `GatewayError` `body-too-large` for more bytes than the limit.
 */
export const wholeBody = async (body: RequestBody, limit: number = defaultLimit): Promise<RequestBody> => {
  if (body.kind !== 'stream') return body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body.stream) {
    length += chunk.length;
    if (length > limit) throw gatewayError('body-too-large', { limit });
    chunks.push(chunk);
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) };
};
