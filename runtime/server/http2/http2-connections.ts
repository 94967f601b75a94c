import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { METHODS } from '../../../plugins/sdk/http/node-http.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { plainErrorText } from '../../http/answer/plain-error-text.ts';
import { newTraceId } from '../../http/exchange/trace-id.ts';
import { methodRefusal } from '../node-http/bad-request.ts';
import type { TransportOptions } from '../node-http/transport.ts';
import { watchStalls } from '../node-http/watch-stalls.ts';
import { Http2Answer } from './http2-answer.ts';
import { toRequestLines } from './http2-headers.ts';
import { Http2Request } from './http2-request.ts';

const http2: typeof import('node:http2') = process.getBuiltinModule('node:http2');
const { NGHTTP2_FLAG_END_STREAM } = http2.constants;

/**
 * The methods that node:http knows. It refuses others itself. This includes `post`, which a provider might take for POST,
 * although it is not POST here.
 */
const servedMethods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'CONNECT'));
/** How many requests of one connection are served at a time. */
const maxInFlight = 32;
/** How many bytes of a request's body a client may send before anybody reads them. */
const windowBytes = 64 * 1024;
/** How many bytes a header line counts in addition to its text (RFC 9113 §6.5.2). */
const lineBytes = 32;

/**
 * How many bytes a client may send outside of its requests: parts of bodies that were in flight when they were answered, and
 * small frames. Node's limits do not count data for a stream that is closed.
 */
const maxStrayBytes = 2 * maxInFlight * windowBytes;
/** How many bytes of other frames (heads of frames, window updates) are allowed per byte of a request or an answer. */
const framing = 2;
/** An additional allowance per check, for pings. */
const idleBytes = 1024;
/** How often this is checked, in milliseconds. */
const strayMs = 1000;

/**
 * How long a client may take, while the gateway drains, to acknowledge settings or move a byte of its requests before it counts
 * as gone, in milliseconds.
 */
const goneMs = 10_000;

interface Connection {
  readonly socket: TLSSocket;
  readonly session: ServerHttp2Session;
  /** The answers to requests that are still being served. */
  readonly answers: Set<Http2Answer>;
  /** The number of requests so far. */
  requests: number;
  /** How many bytes it may have sent for the requests that have ended. */
  expected: number;
  /** The bytes that it had sent, and those that were expected, at the last check. */
  seen: { readonly read: number; readonly expected: number };
  /** How many bytes nothing accounts for. */
  stray: number;
  /** The bytes that it had moved when it was last probed. Absent before. */
  asked?: number;
}

/** Counts the bytes that a client has sent, and those of answers that it has taken. */
const countMoved = ({ socket, answers }: Connection): number =>
  [...answers].reduce((sum, { moved }) => sum + moved, socket.bytesRead);

/**
 * Ends a connection whose client has moved nothing since it was last probed, and otherwise probes it again. node:http2 does not
 * notice every client that is gone, but a client that is still there acknowledges settings even while it waits for its answer.
 */
const endIfGone = (connection: Connection): void => {
  const { session, socket, asked } = connection;
  const moved = countMoved(connection);
  if (asked === moved || session.destroyed) {
    session.destroy();
    socket.destroy();
    return;
  }
  connection.asked = moved;
  // A session that is closing sends no ping. A client acknowledges settings too, and these are empty.
  session.settings({});
};

/**
 * Returns how many bytes a client may have sent for a request: all that passed through it, and those that nobody has read or that
 * were in flight when it was answered.
 */
const toExpected = ({ req, moved }: Http2Answer): number =>
  framing * (countBytes(req.rawHeaders) + moved) + 2 * windowBytes;

/** Counts the bytes that a client has sent since the last check and that no request accounts for. */
const countStray = (connection: Connection): number => {
  const { socket, answers, expected: ended, seen, stray } = connection;
  const read = socket.bytesRead;
  const expected = [...answers].reduce((sum, answer) => sum + toExpected(answer), ended);
  connection.seen = { read, expected };
  connection.stray = Math.max(0, stray + read - seen.read - (expected - seen.expected) - idleBytes);
  return connection.stray;
};

interface Begun {
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly hasBody: boolean;
  readonly remoteAddress: string | undefined;
}

/** The HTTP/2 connections. */
export interface Http2Connections {
  accept(socket: TLSSocket): void;
  /** Notifies all clients to send further requests elsewhere. Each connection ends with its last answer. */
  drain(): void;
  endUnanswered(): void;
  close(): void;
  /** Stops watching for stalled clients. */
  stop(): void;
}

const answerError = (answer: Http2Answer, report: ErrorReport): void => {
  answer.writeHead(report.status, [
    ...['content-type', 'application/json', 'cache-control', 'no-store', 'x-gw-trace-id', newTraceId()],
    ...(report.headers ?? []),
  ]);
  answer.end(plainErrorText(report));
};

/** Whether the other side waits for the client: it sends nothing of its body, or takes nothing of its answer. */
const isClientsTurn = ({ req, waiting }: Http2Answer): boolean => {
  if (waiting > 0) return true;
  const isPaused = req.isPaused() && req.listenerCount('readable') === 0;
  return !req.complete && req.unread === 0 && !isPaused;
};

const endStalled = (answer: Http2Answer): void => {
  // Its end could not be sent: its client is gone, and node:http2 has not noticed.
  if (answer.destroyed) answer.destroyConnection();
  else if (answer.headersSent || answer.req.complete) answer.destroy();
  else answerError(answer, errorReport('request-stalled', {}));
};

const countBytes = (lines: readonly string[]): number => lines.reduce((sum, text) => sum + text.length, 0);

/**
 * Serves HTTP/2 on connections whose TLS handshake is done. Node's own limits apply to everything that is not a request: invalid
 * frames, settings, pings, and streams that are opened only to be reset.
 */
export const http2Connections = ({
  multiplexed: listener,
  headerBytes,
  keepAliveMs,
  stallMs,
  clock,
  draining,
}: TransportOptions): Http2Connections => {
  const connections = new Set<Connection>();
  const answers = new Set<Http2Answer>();
  const options = {
    settings: {
      maxConcurrentStreams: maxInFlight,
      initialWindowSize: windowBytes,
      // Longer ones get an answer, unless they are twice as long.
      maxHeaderListSize: 2 * headerBytes,
      enableConnectProtocol: false,
      enablePush: false,
    },
    maxHeaderListPairs: Math.ceil(headerBytes / lineBytes),
    // A passed-through answer may repeat any header.
    strictSingleValueFields: false,
  };

  const serve = (request: Http2Request, answer: Http2Answer): void => {
    const { method, rawHeaders } = request;
    if (countBytes(rawHeaders) > headerBytes)
      answerError(answer, errorReport('header-too-large', { header: 'section', limit: headerBytes }));
    else if (!servedMethods.has(method)) answerError(answer, methodRefusal(method));
    else listener(request, answer);
  };

  const begin = (
    connection: Connection,
    stream: ServerHttp2Stream,
    { headers, raw, hasBody, remoteAddress }: Begun,
  ): void => {
    // The stream's close event is enough.
    stream.on('error', () => {});
    // Its client has reset it in the same packet.
    if (stream.destroyed) return;
    const { ':method': method = 'GET', ':path': path = '/' } = headers;
    const lines = toRequestLines(raw, headers, hasBody);
    const request = new Http2Request(stream, { method, path, lines, hasBody, remoteAddress });
    const answer = new Http2Answer(stream, request);
    connection.requests += 1;
    connection.answers.add(answer);
    answers.add(answer);
    stream.once('close', () => {
      connection.expected += toExpected(answer);
      connection.answers.delete(answer);
      answers.delete(answer);
    });
    if (draining()) connection.session.close();
    serve(request, answer);
  };

  const stopStalls = watchStalls(answers, {
    clock,
    stallMs,
    bytesMoved: ({ moved }) => moved,
    isClientsTurn,
    onStalled: endStalled,
  });
  const endStray = (): void => {
    for (const connection of connections) if (countStray(connection) > maxStrayBytes) connection.session.destroy();
    stopStray = clock.after(strayMs, endStray);
  };
  let stopStray = clock.after(strayMs, endStray);
  const endGone = (): void => {
    for (const connection of connections) endIfGone(connection);
    stopGone = clock.after(goneMs, endGone);
  };
  let stopGone: (() => void) | undefined;
  const stopIdle = watchStalls(connections, {
    clock,
    stallMs: keepAliveMs,
    bytesMoved: ({ requests }) => requests,
    isClientsTurn: ({ answers: own }) => own.size === 0,
    onStalled: ({ session, socket }) => {
      // If a write never completes, a session leaves its socket open: https://github.com/nodejs/node/issues/55804.
      if (session.destroyed) socket.destroy();
      else if (session.closed) session.destroy();
      else session.close();
    },
  });

  return {
    accept: (socket) => {
      const { remoteAddress } = socket;
      const session = http2.performServerHandshake(socket, options);
      const seen = { read: socket.bytesRead, expected: 0 };
      const counts = { requests: 0, expected: 0, stray: 0, seen };
      const connection: Connection = { socket, session, answers: new Set(), ...counts };
      connections.add(connection);
      // A stream that nobody reads must not keep the others from being sent.
      session.setLocalWindowSize(maxInFlight * windowBytes);
      session.on('error', () => {});
      session.once('close', () => connections.delete(connection));
      session.on('stream', (stream, headers, flags, raw) => {
        const hasBody = (flags & NGHTTP2_FLAG_END_STREAM) === 0;
        begin(connection, stream, { headers, raw, hasBody, remoteAddress });
      });
    },
    drain: () => {
      for (const { session } of connections) session.close();
      if (stopGone === undefined) endGone();
    },
    endUnanswered: () => {
      for (const answer of answers) if (!answer.writableEnded) answer.destroy();
    },
    close: () => {
      for (const { session } of connections) session.destroy();
    },
    stop: () => {
      stopStalls();
      stopIdle();
      stopStray();
      stopGone?.();
    },
  };
};
