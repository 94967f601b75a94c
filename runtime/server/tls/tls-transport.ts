import type { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext, SecureContextOptions, TLSSocket } from 'node:tls';
import { http2Connections } from '../http2/http2-connections.ts';
import type { OpenTransport } from '../node-http/transport.ts';
import { answerPlainHttp, findRaw } from './answer-plain-http.ts';

const https: typeof import('node:https') = process.getBuiltinModule('node:https');
const { createSecureContext }: typeof import('node:tls') = process.getBuiltinModule('node:tls');

/** Milliseconds for a handshake. */
const handshakeMs = 10_000;
/** Handshakes that are under way at a time. With one more, the oldest is closed: a client that means it is done soon. */
const maxHandshakes = 1000;

/** Certificates of clients: none, one that is required, or one that must be good if it is there at all. */
export type ClientCertificates = 'none' | 'require' | 'request';

/** A certificate that is served with, and what its connections are made with. */
export interface ServedCertificate {
  readonly context: SecureContextOptions;
  readonly certificate: Pick<X509Certificate, 'checkHost'>;
}

/** The first is for clients that ask for no name, or for one that none of them is for. */
export type ServedCertificates = readonly [ServedCertificate, ...ServedCertificate[]];

export interface TlsTransportOptions {
  readonly certificates: ServedCertificates;
  readonly clients: ClientCertificates;
  /** Called with the code of OpenSSL for a client whose certificate is not good: it is disconnected without a reason. */
  readonly onBadCertificate?: (code: string) => void;
}

/** HTTP/1.1 and HTTP/2 over TLS. */
export interface TlsTransport {
  readonly open: OpenTransport;
  /** New connections use these from now on. Throws as `createSecureContext` does, and then nothing has changed. */
  renew(certificates: ServedCertificates): void;
}

/** A set of connections without those that have closed. */
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

/** Puts another listener in the place of a server's own; `own` calls that. */
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

/** Whether a client has presented a certificate, and not a good one. Where it must be good, no such client comes so far. */
const hasBadCertificate = (socket: TLSSocket): boolean =>
  !socket.authorized && socket.getPeerX509Certificate() !== undefined;

/** Finds the context for the name that a client asks for; undefined for that of the first. */
type FindContext = (name: string) => SecureContext | undefined;

const isFor = ({ certificate }: Pick<ServedCertificate, 'certificate'>, name: string): boolean => {
  try {
    return certificate.checkHost(name) !== undefined;
  } catch {
    // What a client asks for need not be a name.
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
          // A missing `Host` is answered by `requireHost`.
          requireHostHeader: false,
        },
        listener,
      );
      opened = server;
      const raw = openOnes();
      /** Those whose handshake is under way. */
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
        // Where they are required, node:tls ends the handshake itself.
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
