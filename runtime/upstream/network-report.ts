import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { errorCode } from '../../schema/text/error-code.ts';
import { AddressNotAllowed, UnlistedNotFound } from './dns/checked-lookup.ts';
import { errors } from './undici-parts.ts';

/**
 * A connection that was not opened for a reason of the gateway itself. It contains a function that returns the report for a host.
 */
export class EgressFailure extends Error {
  readonly report: (host: string) => ErrorReport;

  constructor(report: (host: string) => ErrorReport) {
    super('The gateway did not open the connection.');
    this.name = 'EgressFailure';
    this.report = report;
  }
}

/**
 * Why the certificate of the other side is not valid, by codes of OpenSSL and Node. Each is the end of a sentence about that
 * side.
 */
export const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate was issued by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  INVALID_PURPOSE: 'its certificate is for another purpose',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ECONNABORTED: 'the connection was aborted',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'the name server did not answer',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to its network',
  EADDRNOTAVAIL: 'no local address can reach it',
  EMFILE: 'the gateway has no file descriptors left',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer does not have the announced length',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'the request body does not have the announced length',
  UND_ERR_INVALID_ARG: 'a header or the path of the request is not valid, such as a credential with a line break in it',
  UND_ERR_NOT_SUPPORTED: 'a header of the request cannot be sent',
  UND_ERR_DESTROYED: 'the gateway closed its connections',
  UND_ERR_CLOSED: 'the gateway closed its connections',
  HPE_TRANSFER_CODING: 'its answer has a transfer coding that was not requested',
  HPE_UNREQUESTED_UPGRADE: 'its answer switches to another protocol, which was not requested',
  ...certificateReasons,
  EPROTO: 'the TLS handshake failed',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a certificate of the gateway',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "it does not know the authority of the gateway's certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the gateway's certificate has expired",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "it does not accept the gateway's certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: "it does not accept the gateway's certificate",
  ERR_SSL_WRONG_VERSION_NUMBER: 'its answer is not TLS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it does not speak TLS 1.2 or newer',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it does not speak TLS 1.2 or newer',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it does not recognise the host name of the request',
};

/**
 * Returns the code of a failed connection, or an empty string if it has none. OpenSSL 3.5 has other names for the alerts that
 * date from SSL 3.
 */
export const findConnectionCode = (error: unknown): string =>
  (errorCode(error) ?? '').replace('ERR_SSL_SSL/TLS_ALERT_', 'ERR_SSL_SSLV3_ALERT_');

/** Returns why a connection failed, in words without a URL or a stack. */
export const networkReason = (error: unknown): string => {
  const known = reasons[findConnectionCode(error)];
  if (known !== undefined) return known;
  if (error instanceof AggregateError && error.errors.length > 0) return networkReason(error.errors[0]);
  const code = findConnectionCode(error);
  if (error instanceof errors.HTTPParserError) return 'its answer is not HTTP';
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'the TLS handshake failed';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
};

const listItToo =
  'A host in a private network must also be listed in trusted_hosts or GW_TRUSTED_HOSTS, and this one is not.';

/** Returns the error of a request that a network failure ended. `connected`: whether the connection had been opened. */
export const networkReport = (error: unknown, host: string, connected: boolean): ErrorReport => {
  if (error instanceof EgressFailure) return error.report(host);
  if (error instanceof AddressNotAllowed) return errorReport('address-not-allowed', { host, address: error.address });
  const reason = `${networkReason(error)}.`;
  if (error instanceof UnlistedNotFound)
    return errorReport('connection-failed', { host, reason: `${reason} ${listItToo}` });
  return errorReport(connected ? 'connection-lost' : 'connection-failed', { host, reason });
};
