import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { createServer } from '../../../plugins/sdk/http/node-http.ts';
import { endAfterReading } from '../../http/body/drain-body.ts';
import type { Clock } from '../../ports/clock.ts';
import { answerBadRequest, type BadRequestOptions, refuseTunnel } from './bad-request.ts';
import { closeOnlyIdle } from './close-idle.ts';
import { currentAnswer } from './current-answer.ts';
import type { NodeRequestListener, RequestListener } from './request-listener.ts';
import { bytesMoved, endStalled, isClientsTurn } from './stalled.ts';
import type { OpenTransport, Transport } from './transport.ts';
import { watchStalls } from './watch-stalls.ts';

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** A Node handle that another process has bound to the address, and shares. */
  readonly handle?: object;
}

export interface ListenOptions extends ListenAddress {
  readonly listener: NodeRequestListener;
  readonly headerBytes: number;
  readonly clock: Clock;
  /** How many milliseconds a client has to take or send something when it is its turn. Default: two minutes. */
  readonly stallMs?: number;
  /** Called when the time for running requests is over. An answer that ends now reaches its client. */
  readonly onTimeUp?: () => void;
  /** Whether a request may open a WebSocket on its connection. Default: none may. */
  readonly mayOpenSocket?: (request: IncomingMessage) => boolean;
  /** Called for a client that speaks TLS to a plain port. */
  readonly onTlsClient?: () => void;
  /** For TLS. If absent, plain HTTP/1. */
  readonly secure?: SecureListening;
}

export interface SecureListening {
  readonly open: OpenTransport;
  /** Serves HTTP/2. */
  readonly multiplexed: RequestListener;
  readonly draining: () => boolean;
}

/** A server that listens. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /**
   * Accepts no more connections and lets running requests finish, for at most `ms` milliseconds. After that, their connections
   * are closed: immediately, or after half a second if their answers have ended by then. Resolves to true if all finished.
   */
  drain(ms: number): Promise<boolean>;
  /** Accepts no more connections, and leaves the open ones as they are. */
  stopAccepting(): void;
  /** Closes all connections abruptly. */
  close(): void;
}

/** Longer than the clients' own pools keep idle connections, so that the clients close them first. */
const keepAliveMs = 75_000;

/** A passed-through upload is no faster than its provider reads it. */
const requestMs = 3_600_000;

/** How many milliseconds clients have to receive the ends of their answers after the time is over. */
const lastWordsMs = 500;

/** While draining: a connection whose answer had begun before would be kept alive after it. */
const sweepMs = 50;

const configure = (server: Server, options: BadRequestOptions): void => {
  server.keepAliveTimeout = keepAliveMs;
  server.requestTimeout = requestMs;
  // The section is limited in bytes. A limit on lines would drop headers silently.
  server.maxHeadersCount = 0;
  server.on('clientError', (error, socket) => answerBadRequest(error, socket, options));
  server.on('connect', (_, socket) => refuseTunnel(socket, options.clock));
};

/**
 * Serves handshakes of WebSockets. Node calls `upgrade` for a request that offers another protocol if it has a listener, and drops
 * the body. Versions before 22.21 and 24.9 cannot except others, such as offers of `h2c` (RFC 9110 §7.8), so they open none.
 */
const serveSockets = (
  server: Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean },
  {
    mayOpen,
    listener,
    clock,
  }: Pick<ListenOptions, 'listener' | 'clock'> & { mayOpen: (request: IncomingMessage) => boolean },
): void => {
  if (server.shouldUpgradeCallback === undefined) return;
  server.shouldUpgradeCallback = (request) => currentAnswer(request.socket) === undefined && mayOpen(request);
  server.on('upgrade', (request, socket, head) => {
    // Whatever breaks the connection is noticed when it closes.
    socket.on('error', () => {});
    // Loaded on demand, because few clients open one.
    import('./socket-answer.ts')
      .then(({ SocketAnswer }) => {
        const end = (): void => endAfterReading(socket, clock);
        if (!socket.destroyed) listener(request, new SocketAnswer(request, { socket, head, end }));
      })
      .catch(() => socket.destroy());
  });
};

/** Serves HTTP/1 only, without TLS. */
const openPlain = (listener: NodeRequestListener, headerBytes: number): Transport => {
  // `requireHost` answers a missing `Host`.
  const server = createServer({ maxHeaderSize: headerBytes, requireHostHeader: false }, listener);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const nothing = (): void => {};
  // node:http closes all that it serves, which WebSockets are not any more.
  const close = (): void => {
    for (const socket of connections) socket.destroy();
  };
  return { server, connections, endUnused: nothing, endUnanswered: nothing, close };
};

/** Closes connections that clients opened for later use. Node counts them as busy until they have sent a first request. */
const closeUnused = (connections: ReadonlySet<Socket>): void => {
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
};

/** Closes connections on which an answer is not complete yet. */
const closeUnanswered = (connections: ReadonlySet<Socket>): void => {
  for (const socket of connections) if (currentAnswer(socket)?.writableEnded !== true) socket.destroy();
};

interface Draining {
  readonly clock: Clock;
  readonly ms: number;
  readonly onTimeUp: () => void;
}

const closeAll = ({ server, close }: Transport): void => {
  server.closeAllConnections();
  close();
};

/**
 * Calls back when everything that had arrived is read. Connections are accepted in one turn of the event loop, and read in the
 * next; this turn may be past both.
 */
const whenArrivedIsRead = (callback: () => void): void =>
  void setImmediate(() => setImmediate(() => setImmediate(callback)));

const drainTransport = (transport: Transport, { clock, ms, onTimeUp }: Draining): Promise<boolean> =>
  new Promise((resolve) => {
    const { server, connections } = transport;
    let whole = true;
    let stopTimer = clock.after(ms, () => {
      whole = false;
      onTimeUp();
      closeUnanswered(connections);
      transport.endUnanswered();
      stopTimer = clock.after(lastWordsMs, () => closeAll(transport));
    });
    let stopSweep = (): void => {};
    const sweep = (): void => {
      server.closeIdleConnections();
      closeUnused(connections);
      transport.endUnused();
      stopSweep = clock.after(sweepMs, sweep);
    };
    whenArrivedIsRead(() => {
      sweep();
      server.close(() => {
        stopTimer();
        stopSweep();
        resolve(whole);
      });
    });
  });

/** Rejects like `server.listen`: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`. */
export const listen = ({
  host,
  port,
  handle = { host, port },
  listener,
  headerBytes,
  clock,
  stallMs = 120_000,
  onTimeUp = () => {},
  mayOpenSocket = () => false,
  onTlsClient = () => {},
  secure,
}: ListenOptions): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const transport =
      secure === undefined
        ? openPlain(listener, headerBytes)
        : secure.open({ listener, headerBytes, keepAliveMs, stallMs, clock, ...secure });
    const { server, connections } = transport;
    configure(server, { headerBytes, clock, onTls: onTlsClient });
    serveSockets(server, { mayOpen: mayOpenSocket, listener, clock });
    closeOnlyIdle(server, connections);
    const onStalled = (socket: Socket): void => endStalled(socket, clock);
    const stopWatching = watchStalls(connections, { clock, stallMs, bytesMoved, isClientsTurn, onStalled });
    server.on('close', stopWatching);
    server.on('checkContinue', listener);
    // An unknown expectation may be ignored (RFC 9110 §10.1.1). node:http would answer it without a body.
    server.on('checkExpectation', listener);
    server.once('error', reject);
    server.listen(handle, () => {
      server.off('error', reject);
      // A listening TCP server has an address of this form.
      const address = server.address() as AddressInfo;
      resolve({
        host: address.address,
        port: address.port,
        drain: (ms) => drainTransport(transport, { clock, ms, onTimeUp }),
        // `close` of node:http would end idle connections.
        stopAccepting: () => void NetServer.prototype.close.call(server),
        close: () => {
          server.close();
          closeAll(transport);
        },
      });
    });
  });
