import { type ErrorReport, errorTable, GatewayError } from '../../schema/errors.ts';

/** The report of an error that another branch could cure; all other errors are thrown on. */
export const curableReport = (error: unknown): ErrorReport => {
  if (error instanceof GatewayError && errorTable[error.report.code].curable) return error.report;
  throw error;
};
