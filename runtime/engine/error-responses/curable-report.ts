import { type ErrorReport, errorTable, GatewayError } from '../../../schema/errors/errors.ts';

/** The report of an error that another branch might avoid; all other errors are rethrown. */
export const curableReport = (error: unknown): ErrorReport => {
  if (error instanceof GatewayError && error.report.curable !== false && errorTable[error.report.code].curable)
    return error.report;
  throw error;
};
