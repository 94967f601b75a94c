import { type ErrorReport, errorReport } from '../../schema/errors.ts';

/** What a request ends with when nobody waits for its answer any more. */
export const cancelledReport = (host: string): ErrorReport =>
  errorReport('connection-lost', { host, reason: 'the request was cancelled.' });
