import { networkReport } from '../../../runtime/upstream/network-report.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';

/** Returns the report of a connection's error, which may be a report already, as in the engine's answers. */
export const toReport = (error: unknown, host: string): ErrorReport =>
  typeof error === 'object' && error !== null && 'message' in error && 'status' in error
    ? (error as ErrorReport)
    : networkReport(error, host, false);
