import { HeaderParts } from './header-parts.ts';
import { type Client, errors, findSocket, symbols } from './undici-parts.ts';

type HeadersComplete = (status: number, upgrade: boolean, keepAlive: boolean) => number;

interface AnswerParser {
  headers: unknown;
  readonly statusCode: number;
  onHeadersComplete: HeadersComplete;
  /** Ends an answer with its connection; gives the error where it is not whole. */
  finish: () => Error | null;
}

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
 * Changes how the parser of a connection that was just made ends the head of an answer, and the answer; those of undici's other
 * users in this process stay as they are.
 *
 * undici closes a connection at an unrequested `100 Continue`, although a client must accept one before any answer
 * (RFC 9110 §15.2.1): it is treated like other interim answers, which are skipped. A status below 100 is none, and undici
 * takes it for that of an interim answer until an assertion of its own fails. And the header lines are not made into
 * an object, which nobody here reads.
 *
 * An answer without a length ends with its connection, but is not whole where that has failed (RFC 9112 §8), which undici takes for
 * whole where it was reset. An error is taken for whole all the same: a server that refuses a request early resets the connection.
 */
export const adaptParser = (client: Client): void => {
  const socket = findSocket(client);
  const parser: unknown = socket && Reflect.get(socket, symbols.kParser);
  if (socket === undefined || !isParser(parser)) return;
  const { onHeadersComplete, finish } = parser;
  parser.finish = () => (parser.statusCode < badRequest ? socket.errored : null) ?? finish.call(parser);
  parser.onHeadersComplete = (status, upgrade, keepAlive) => {
    if (status < 100) throw new errors.HTTPParserError('The status is below 100.');
    if (Array.isArray(parser.headers)) parser.headers = new HeaderParts(parser.headers);
    return onHeadersComplete.call(parser, status === 100 ? processing : status, upgrade, keepAlive);
  };
};
