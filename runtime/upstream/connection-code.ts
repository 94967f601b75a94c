import { errorCode } from '../../schema/text/error-code.ts';

/** Finds the code of a failed connection; empty if it has none. OpenSSL 3.5 has other names for the alerts that are as old as SSL 3. */
export const findConnectionCode = (error: unknown): string =>
  (errorCode(error) ?? '').replace('ERR_SSL_SSL/TLS_ALERT_', 'ERR_SSL_SSLV3_ALERT_');
