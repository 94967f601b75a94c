import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { endWithError } from '../../http/answer/raw-error.ts';
import { endAfterReading } from '../../http/body/drain-body.ts';
import type { Clock } from '../../ports/clock.ts';
import { sparseLog } from '../logs/sparse-log.ts';
import { canAnswer, currentAnswer } from './current-answer.ts';

/** The first bytes of a TLS handshake record (RFC 8446 §5.1): its type, and the major version. */
const handshake: readonly number[] = [22, 3];

/** Returns whether bytes that are not an HTTP request are a TLS handshake. */
const isTlsHandshake = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && handshake.every((byte, at) => bytes[at] === byte);

/**
 * Returns a function that reports a client that speaks TLS to a plain port. The operator receives one line per minute at most.
 */
export const tlsClientNotes = (clock: Pick<Clock, 'monotonic'>, log: (text: string) => void): (() => void) => {
  const note = sparseLog(clock, log);
  return () =>
    note(
      'A client spoke TLS to this port, which serves plain HTTP, so its connection was closed. Use http:// in the client, or set "listen.tls" in the gateway file.',
    );
};

const reportFor = (code: string, headerBytes: number): ErrorReport | undefined => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorReport('request-stalled', {});
  if (code === 'HPE_HEADER_OVERFLOW') return errorReport('header-too-large', { header: 'section', limit: headerBytes });
  if (code.includes('CHUNK'))
    return errorReport('invalid-header', {
      header: 'transfer-encoding',
      reason: 'its chunks do not follow RFC 9112.',
    });
  return code.startsWith('HPE_')
    ? errorReport('invalid-header', { header: 'section', reason: 'the request is not valid HTTP/1.1 (RFC 9112).' })
    : undefined;
};

/** The error of node:http for bytes that it cannot parse. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array };

export interface BadRequestOptions {
  readonly headerBytes: number;
  readonly clock: Pick<Clock, 'after'>;
  /** Called for a client that speaks TLS. */
  readonly onTls: () => void;
}

/** Connections whose client has sent something other than a request behind one that is being answered. */
const ending = new WeakSet<Duplex>();

/**
 * Ends a connection whose request cannot be read any further. A request without an answer is answered with this error. If its
 * answer was already given, the client gets all of it. An answer that is still in progress is torn.
 */
const refuse = (socket: Duplex, report: ErrorReport, clock: Pick<Clock, 'after'>): void => {
  if (canAnswer(socket)) {
    endWithError(socket, report, clock);
    return;
  }
  const answer = currentAnswer(socket);
  // Whole answers are written at the end of the turn of the event loop in which they are given.
  setImmediate(() => {
    if (answer?.writableEnded === true) endAfterReading(socket, clock);
    else socket.destroy();
  });
};

/**
 * Ends a connection with the answers to the requests that were complete before the invalid bytes. A client that announces fewer
 * bytes than it sends learns this from the answer.
 */
const endAfter = (
  answer: ServerResponse & { readonly isFollowed?: boolean },
  socket: Duplex,
  report: ErrorReport,
  clock: Pick<Clock, 'after'>,
): void => {
  if (answer.isFollowed !== true) answer.shouldKeepAlive = false;
  answer.once('close', () => {
    const next = currentAnswer(socket);
    if (socket.destroyed || socket.writableEnded) return;
    if (next === undefined) socket.end(() => socket.destroy());
    else if (next.req.complete) endAfter(next, socket, report, clock);
    else refuse(socket, report, clock);
  });
};

/**
 * Answers a request that node:http could not parse, and ends the connection after the answers to those before it. The connection
 * of a client that speaks TLS is ended without an answer. Called again for whatever comes after that.
 */
export const answerBadRequest = (
  { code = '', rawPacket }: ParseError,
  socket: Duplex & { isPaused(): boolean; readonly readableEnded: boolean },
  { headerBytes, clock, onTls }: BadRequestOptions,
): void => {
  if (code.startsWith('HPE_') && isTlsHandshake(rawPacket)) {
    onTls();
    socket.end(() => socket.destroy());
    return;
  }
  // A connection is not read while requests on it are queued, so the next one cannot arrive in time.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.isPaused()) return;
  const report = reportFor(code, headerBytes);
  if (report === undefined) {
    socket.destroy();
    return;
  }
  const answer = currentAnswer(socket);
  if (!code.startsWith('HPE_') || socket.readableEnded || answer?.req.complete !== true) refuse(socket, report, clock);
  else if (!ending.has(socket)) {
    ending.add(socket);
    endAfter(answer, socket, report, clock);
  }
};

/** Returns why a method is not served anywhere: it is CONNECT, and the gateway is not a proxy, or it is not an HTTP method. */
export const methodRefusal = (method: string): ErrorReport =>
  errorReport('method-not-allowed', { path: 'of this gateway', method: method.slice(0, 100), allowed: 'GET and POST' });

/**
 * Answers a client that takes the gateway for a proxy, and ends the connection. If another answer is in progress, ends it without
 * an answer.
 */
export const refuseTunnel = (socket: Duplex, clock: Pick<Clock, 'after'>): void =>
  refuse(socket, methodRefusal('CONNECT'), clock);
