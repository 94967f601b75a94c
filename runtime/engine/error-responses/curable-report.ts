import { type ErrorReport, errorTable, GatewayError } from '../../../schema/errors/errors.ts';

/** Returns the report of an error that another branch might avoid. Rethrows all other errors. */
export const curableReport = (error: unknown): ErrorReport => {
  if (error instanceof GatewayError && error.report.curable !== false && errorTable[error.report.code].curable)
    return error.report;
  throw error;
};
