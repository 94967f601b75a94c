import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { errorReport } from '../../../schema/errors/errors.ts';
import { rawError } from '../../http/answer/raw-error.ts';

/** The codes of OpenSSL for HTTP methods in place of a handshake. */
const codes: readonly (string | undefined)[] = ['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_HTTPS_PROXY_REQUEST'];

/** Returns the connection below the TLS connection, as recorded by node:tls. */
export const findRaw = ({ _parent }: TLSSocket & { readonly _parent?: Socket | null }): Socket | undefined =>
  _parent ?? undefined;

/** Answers a client that sends plain HTTP to a TLS port, and ends its connection. Other failures of handshakes are left alone. */
export const answerPlainHttp = ({ code }: NodeJS.ErrnoException, socket: TLSSocket): void => {
  const raw = findRaw(socket);
  // The bytes after the first ones belong to TLS, and cannot be read.
  if (codes.includes(code) && raw?.writable === true)
    raw.end(rawError(errorReport('tls-required', {})), () => raw.destroy());
};
