import type { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext, SecureContextOptions, TLSSocket } from 'node:tls';
import { http2Connections } from '../http2/http2-connections.ts';
import type { OpenTransport } from '../node-http/transport.ts';
import { answerPlainHttp, findRaw } from './answer-plain-http.ts';

const https: typeof import('node:https') = process.getBuiltinModule('node:https');
const { createSecureContext }: typeof import('node:tls') = process.getBuiltinModule('node:tls');

/** How many milliseconds a handshake may take. */
const handshakeMs = 10_000;
/** How many handshakes may be in progress at a time. With one more, the oldest is closed: a real client finishes soon. */
const maxHandshakes = 1000;

/** Certificates of clients: none, required, or optional but valid if present. */
export type ClientCertificates = 'none' | 'require' | 'request';

/** A certificate that is served, and the context for its connections. */
export interface ServedCertificate {
  readonly context: SecureContextOptions;
  readonly certificate: Pick<X509Certificate, 'checkHost'>;
}

/** The first is for clients that request no name, or one that no certificate is for. */
export type ServedCertificates = readonly [ServedCertificate, ...ServedCertificate[]];

export interface TlsTransportOptions {
  readonly certificates: ServedCertificates;
  readonly clients: ClientCertificates;
  /** Called with OpenSSL's code for a client whose certificate is not valid. The client is disconnected without a reason. */
  readonly onBadCertificate?: (code: string) => void;
}

/** HTTP/1.1 and HTTP/2 over TLS. */
export interface TlsTransport {
  readonly open: OpenTransport;
  /** Uses these for new connections from now on. Throws like `createSecureContext`, in which case nothing has changed. */
  renew(certificates: ServedCertificates): void;
}

/** A set of connections that removes those that close. */
const openOnes = <Connection extends Socket>(): { add(socket: Connection): void; readonly all: Set<Connection> } => {
  const all = new Set<Connection>();
  return {
    all,
    add: (socket) => {
      all.add(socket);
      socket.once('close', () => all.delete(socket));
    },
  };
};

/** Replaces a server's own listener. `own` calls the original. */
const replaceListener = <Connection extends Socket>(
  server: Server,
  event: 'connection' | 'secureConnection',
  listen: (socket: Connection, own: () => void) => void,
): void => {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (socket: Connection) =>
    listen(socket, () => {
      for (const own of listeners) own.call(server, socket);
    }),
  );
};

/** Whether a client has presented an invalid certificate. If valid certificates are required, no such client gets this far. */
const hasBadCertificate = (socket: TLSSocket): boolean =>
  !socket.authorized && socket.getPeerX509Certificate() !== undefined;

/** Returns the context for the name that a client requests. Undefined for that of the first certificate. */
type FindContext = (name: string) => SecureContext | undefined;

const isFor = ({ certificate }: Pick<ServedCertificate, 'certificate'>, name: string): boolean => {
  try {
    return certificate.checkHost(name) !== undefined;
  } catch {
    // A client may request something that is not a name.
    return false;
  }
};

const contextFinder = ([first, ...others]: ServedCertificates): FindContext => {
  const further = others.map(({ certificate, context }) => ({ certificate, context: createSecureContext(context) }));
  return (name) => (isFor(first, name) ? undefined : further.find((each) => isFor(each, name))?.context);
};

export const tlsTransport = ({
  certificates,
  clients,
  onBadCertificate = () => {},
}: TlsTransportOptions): TlsTransport => {
  let [{ context: current }] = certificates;
  let findContext = contextFinder(certificates);
  let opened: Server | undefined;
  return {
    renew: (next) => {
      const found = contextFinder(next);
      const [{ context }] = next;
      opened?.setSecureContext(context);
      findContext = found;
      current = context;
    },
    open: (options) => {
      const { listener, headerBytes } = options;
      const server = https.createServer(
        {
          ...current,
          SNICallback: (name, done) => done(null, findContext(name)),
          ALPNProtocols: ['h2', 'http/1.1'],
          handshakeTimeout: handshakeMs,
          requestCert: clients !== 'none',
          rejectUnauthorized: clients === 'require',
          maxHeaderSize: headerBytes,
          // `requireHost` answers a missing `Host`.
          requireHostHeader: false,
        },
        listener,
      );
      opened = server;
      const raw = openOnes();
      /** The connections whose handshake is in progress. */
      const beginning = openOnes();
      const plex = http2Connections(options);
      const connections = openOnes();
      replaceListener(server, 'connection', (socket, shakeHands) => {
        raw.add(socket);
        beginning.add(socket);
        const [oldest] = beginning.all;
        if (oldest !== undefined && beginning.all.size > maxHandshakes) {
          beginning.all.delete(oldest);
          oldest.destroy();
        }
        shakeHands();
      });
      replaceListener<TLSSocket>(server, 'secureConnection', (socket, serveHttp1) => {
        const below = findRaw(socket);
        if (below !== undefined) beginning.all.delete(below);
        if (clients === 'request' && hasBadCertificate(socket)) {
          onBadCertificate(String(socket.authorizationError));
          socket.destroy();
        } else if (socket.alpnProtocol === 'h2') plex.accept(socket);
        else {
          connections.add(socket);
          serveHttp1();
        }
      });
      server.on('tlsClientError', (error, socket) => {
        // If they are required, node:tls ends the handshake itself.
        if (socket.authorizationError) onBadCertificate(String(socket.authorizationError));
        answerPlainHttp(error, socket);
      });
      server.on('close', plex.stop);
      return {
        server,
        connections: connections.all,
        endUnused: () => {
          for (const socket of raw.all) if (socket.bytesRead === 0) socket.destroy();
          plex.drain();
        },
        endUnanswered: plex.endUnanswered,
        close: () => {
          plex.close();
          for (const socket of raw.all) socket.destroy();
        },
      };
    },
  };
};
