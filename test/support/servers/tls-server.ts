import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type IssuedFor, makeAuthority, type TestAuthority } from './certificates.ts';

export interface CertifiedServer {
  readonly port: number;
  /** A file with the certificate of the authority that issued the server's certificate. */
  readonly authority: string;
  /** The received requests: the requested name, that of the client's certificate, and the headers. */
  readonly requests: readonly CertifiedRequest[];
}

export interface CertifiedRequest {
  readonly serverName: string | undefined;
  /** The common name of the client's certificate. Absent if it presented none. */
  readonly client: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly url: string;
}

export interface CertifiedOptions extends IssuedFor {
  /** The authority that issues its certificate. A new one if absent. */
  readonly authority?: TestAuthority;
  /** The file of the authority that must have issued clients' certificates. If absent, none are requested. */
  readonly clients?: string;
  /** Whether it closes each connection after one request. */
  readonly closes?: boolean;
  /** The answer to every request. */
  readonly answer?: object;
  /** When it is stopped: at the end of the test by default. */
  readonly whenFinished?: (end: () => void) => void;
}

const toRequest = ({ socket, rawHeaders, url = '' }: IncomingMessage): CertifiedRequest => {
  const { servername, getPeerCertificate } = socket as TLSSocket & { readonly servername?: string | false };
  const name = getPeerCertificate.call(socket)?.subject?.CN;
  return { serverName: servername || undefined, client: [name].flat()[0], rawHeaders, url };
};

/** Starts a server with a certificate that answers `{"data":[]}`. */
export const startCertified = async ({
  authority = makeAuthority(),
  clients,
  answer = { data: [] },
  closes = false,
  whenFinished = onTestFinished,
  ...certificate
}: CertifiedOptions = {}): Promise<CertifiedServer> => {
  const requests: CertifiedRequest[] = [];
  const checked = clients === undefined ? {} : { ca: readFileSync(clients), requestCert: true };
  const own = authority.issue(certificate);
  const server = createServer({ ...own, ...checked }, (request, response) => {
    requests.push(toRequest(request));
    request.resume().on('end', () => {
      if (closes) response.setHeader('connection', 'close');
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  whenFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { port: address.port, authority: authority.file, requests };
};
