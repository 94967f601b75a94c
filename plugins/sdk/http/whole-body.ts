import { gatewayError } from '../../../schema/errors/errors.ts';
import type { RequestBody } from './http.ts';

/** The maximum number of bytes that are read, unless a provider states how many its service accepts. */
const defaultLimit = 25_000_000;

/**
 * Returns the body in one piece, for a signature that covers all of it, because the body of a passed-through request is a stream.
 * Throws the `GatewayError` `body-too-large` if it has more bytes than the limit.
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
