import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import { decoderFor } from '../../json-bodies/read/decoder-for.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { BodyBounds, Received } from './collect-body.ts';

const withoutEncoding = (headers: readonly string[]): readonly string[] =>
  headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'content-encoding');

/** Returns the encoding of a buffered body in lower case. Undefined if it has none. */
const findEncoding = ({ caller: { contentEncoding = '' }, request: { body } }: HttpExchange): string | undefined => {
  const encoding = contentEncoding.trim().toLowerCase();
  const isPlain = encoding === '' || encoding === 'identity';
  return isPlain || body.kind !== 'bytes' || body.bytes.length === 0 ? undefined : encoding;
};

/**
 * Decodes a buffered body, so that every reader, including the provider, receives it decoded. Its size is limited while it grows,
 * and its memory is counted like that of any body. Calls back with the `GatewayError` `unsupported-encoding`, `malformed-body`,
 * `body-too-large` or `overloaded`.
 */
export const decodeBody = (
  exchange: HttpExchange,
  { memoryBudget, bodyBytes }: BodyBounds,
  received: Received,
): void => {
  const { request } = exchange;
  const { body } = request;
  const encoding = findEncoding(exchange);
  if (encoding === undefined || body.kind !== 'bytes') {
    received();
    return;
  }
  const decoder = decoderFor(encoding, body.bytes);
  if (decoder === undefined) {
    received(gatewayError('unsupported-encoding', { encoding: encoding.slice(0, 100) }));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (error?: GatewayError): void => {
    decoder.removeAllListeners().on('error', () => {});
    decoder.destroy();
    received(error);
  };
  decoder.on('data', (chunk: Buffer) => {
    size += chunk.length;
    // The exchange is over and has released its memory. Memory reserved now would never be released.
    if (exchange.cancellation.cancelled) finish();
    else if (size > bodyBytes) finish(gatewayError('body-too-large', { limit: bodyBytes }));
    else if (!memoryBudget.take(chunk.length, exchange)) finish(gatewayError('overloaded', {}));
    else chunks.push(chunk);
  });
  decoder.on('end', () => {
    request.body = { kind: 'bytes', bytes: Buffer.concat(chunks) };
    request.headers = withoutEncoding(request.headers);
    finish();
  });
  decoder.on('error', () => finish(gatewayError('malformed-body', { reason: `it cannot be decoded as ${encoding}.` })));
  decoder.end(body.bytes);
};
