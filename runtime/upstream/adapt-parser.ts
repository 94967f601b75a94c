import { switchingProtocols } from '../../schema/http/status.ts';
import { HeaderParts } from './header-parts.ts';
import { type Client, errors, findSocket, symbols } from './undici-parts.ts';

type HeadersComplete = (status: number, upgrade: boolean, keepAlive: boolean) => number;

interface AnswerParser {
  headers: unknown;
  readonly statusCode: number;
  onHeadersComplete: HeadersComplete;
  /** Ends an answer together with its connection. Returns the error if the answer is not complete. */
  finish: () => Error | null;
}

const transferEncoding = 'transfer-encoding';
const chunked: Buffer = Buffer.from('chunked');
const firstLetters: readonly (number | undefined)[] = ['t'.charCodeAt(0), 'T'.charCodeAt(0)];

/** Whether a transfer coding is one that every client decodes, or none. */
const isDecoded = (coding: Buffer): boolean =>
  coding.equals(chunked) || ['chunked', 'identity'].includes(coding.toString('latin1').trim().toLowerCase());

/** Whether an answer has a transfer coding other than chunked, according to its alternating names and values. */
const isEncoded = (lines: readonly Buffer[]): boolean => {
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at];
    const coding = lines[at + 1];
    if (name?.length !== transferEncoding.length || coding === undefined || !firstLetters.includes(name[0])) continue;
    if (name.toString('latin1').toLowerCase() === transferEncoding && !isDecoded(coding)) return true;
  }
  return false;
};

const encodedTransfer = (): Error =>
  Object.assign(new errors.HTTPParserError('The answer has an unsupported transfer coding.'), {
    code: 'HPE_TRANSFER_CODING',
  });

const unrequestedUpgrade = (): Error =>
  Object.assign(new errors.HTTPParserError('The answer switches to a protocol that was not requested.'), {
    code: 'HPE_UNREQUESTED_UPGRADE',
  });

const processing = 102;
const badRequest = 400;

const isParser = (value: unknown): value is AnswerParser =>
  typeof value === 'object' &&
  value !== null &&
  'statusCode' in value &&
  typeof value.statusCode === 'number' &&
  'onHeadersComplete' in value &&
  typeof value.onHeadersComplete === 'function' &&
  'finish' in value &&
  typeof value.finish === 'function';

/**
 * Changes how the parser of a new connection ends the head of an answer, and the answer. Other users of undici in this process
 * are not affected.
 *
 * undici closes a connection at an unrequested `100 Continue`, although a client must accept one before any answer (RFC 9110
 * §15.2.1). It is treated like other interim answers, which are skipped. A status below 100 or above 599 is not valid (§15):
 * undici takes the former for an interim answer until one of its own assertions fails, and HTTP/2 cannot pass the latter on. `101
 * Switching Protocols` is an error if the request offers no other protocol (§15.2.2), or if the answer does not name one (§7.8);
 * undici's assertions fail on both. And the header lines are not turned into an object, because nothing here reads it.
 *
 * undici decodes only chunks. Another transfer coding, although the request accepts none, would be taken for the body itself (RFC
 * 9112 §6.1).
 *
 * An answer without a length ends with its connection, but is not complete if the connection failed (RFC 9112 §8). undici takes
 * it for complete if the connection was reset. An error answer is taken for complete anyway, because a server that refuses a
 * request early resets the connection.
 */
export const adaptParser = (client: Client, offersSocket: () => boolean): void => {
  const socket = findSocket(client);
  const parser: unknown = socket && Reflect.get(socket, symbols.kParser);
  if (socket === undefined || !isParser(parser)) return;
  const { onHeadersComplete, finish } = parser;
  parser.finish = () => (parser.statusCode < badRequest ? socket.errored : null) ?? finish.call(parser);
  parser.onHeadersComplete = (status, upgrade, keepAlive) => {
    if (status < 100 || status > 599) throw new errors.HTTPParserError('The status is not valid in HTTP.');
    if (status === switchingProtocols && !(upgrade && offersSocket())) throw unrequestedUpgrade();
    if (Array.isArray(parser.headers)) {
      if (isEncoded(parser.headers)) throw encodedTransfer();
      parser.headers = new HeaderParts(parser.headers);
    }
    return onHeadersComplete.call(parser, status === 100 ? processing : status, upgrade, keepAlive);
  };
};
