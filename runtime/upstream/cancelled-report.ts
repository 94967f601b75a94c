import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';

/** Returns the error of a request that was cancelled. */
export const cancelledReport = (host: string): ErrorReport =>
  errorReport('connection-lost', { host, reason: 'the request was cancelled.' });
