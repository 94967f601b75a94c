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

/** Those that node:http knows. It refuses others itself, `post` too, which a provider may take for the POST that it is not here. */
const servedMethods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'CONNECT'));
/** Requests of one connection that are served at a time. */
const maxInFlight = 32;
/** Bytes of a request's body that a client may send before anybody reads them. */
const windowBytes = 64 * 1024;
/** Bytes that a line counts beside its text (RFC 9113 §6.5.2). */
const lineBytes = 32;

/**
 * Bytes that a client may send beside its requests: what was under way of bodies that were answered before their end, and small frames.
 * Node's bounds do not count the parts of a stream that is closed.
 */
const maxStrayBytes = 2 * maxInFlight * windowBytes;
/** Bytes beside each byte of a request or an answer that are none of these: heads of frames, and updates of windows. */
const framing = 2;
/** The same for each time that it is looked at, for pings. */
const idleBytes = 1024;
/** How often that is looked at, in milliseconds. */
const strayMs = 1000;

/** Milliseconds in which a client that is there acknowledges settings or moves a byte of its requests, while the gateway drains. */
const goneMs = 10_000;

interface Connection {
  readonly socket: TLSSocket;
  readonly session: ServerHttp2Session;
  /** Of the requests that are still served. */
  readonly answers: Set<Http2Answer>;
  /** Requests so far. */
  requests: number;
  /** Bytes that it may have sent for the requests that have ended. */
  expected: number;
  /** The bytes that it had sent, and those that were expected, when that was last looked at. */
  seen: { readonly read: number; readonly expected: number };
  /** Bytes that nothing explains. */
  stray: number;
  /** The bytes that it had moved when it was last asked whether it is there; absent before. */
  asked?: number;
}

/** Bytes that a client has sent, and those that it has taken of answers. */
const countMoved = ({ socket, answers }: Connection): number =>
  [...answers].reduce((sum, { moved }) => sum + moved, socket.bytesRead);

/**
 * Ends a connection whose client has moved nothing since it was last asked whether it is there, and else asks it: node:http2 does not
 * notice each client that is gone, and a client that is there acknowledges what it is asked also where it waits for its answer.
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
  // A session that is closing sends no ping, and a client acknowledges settings too, of which these have none.
  session.settings({});
};

/** Bytes that a client may have sent for a request: all that went through it, and what nobody has read, or was under way at its answer. */
const toExpected = ({ req, moved }: Http2Answer): number =>
  framing * (countBytes(req.rawHeaders) + moved) + 2 * windowBytes;

/** Counts what a client has sent since the last time that no request explains. */
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

/** The connections of HTTP/2. */
export interface Http2Connections {
  accept(socket: TLSSocket): void;
  /** Notifies all clients that their next requests belong elsewhere; each connection ends with its last answer. */
  drain(): void;
  endUnanswered(): void;
  close(): void;
  /** Stops watching for clients that stall. */
  stop(): void;
}

const answerError = (answer: Http2Answer, report: ErrorReport): void => {
  answer.writeHead(report.status, [
    ...['content-type', 'application/json', 'cache-control', 'no-store', 'x-gw-trace-id', newTraceId()],
    ...(report.headers ?? []),
  ]);
  answer.end(plainErrorText(report));
};

/** The client is the one who keeps the other waiting: it sends nothing of its body, or takes nothing of its answer. */
const isClientsTurn = ({ req, waiting }: Http2Answer): boolean => {
  if (waiting > 0) return true;
  const isPaused = req.isPaused() && req.listenerCount('readable') === 0;
  return !req.complete && req.unread === 0 && !isPaused;
};

const endStalled = (answer: Http2Answer): void => {
  // That it was ended could not be sent: its client is gone, and node:http2 has not noticed.
  if (answer.destroyed) answer.destroyConnection();
  else if (answer.headersSent || answer.req.complete) answer.destroy();
  else answerError(answer, errorReport('request-stalled', {}));
};

const countBytes = (lines: readonly string[]): number => lines.reduce((sum, text) => sum + text.length, 0);

/**
 * Serves HTTP/2 on connections whose TLS is done. Node's own bounds hold for what is no request: invalid frames, settings,
 * pings, and streams that are opened to be reset.
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
    // Its close says all that matters.
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
      // Where a write to it is never over, a session leaves its socket open: https://github.com/nodejs/node/issues/55804.
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
      // One stream that nobody reads must not keep the others from being sent.
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
