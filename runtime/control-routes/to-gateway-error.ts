import { asGatewayError, type ErrorReport, errorTable, GatewayError } from '../../schema/errors/errors.ts';

const isReport = (value: unknown): value is ErrorReport =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  Object.hasOwn(errorTable, value.code) &&
  'message' in value &&
  typeof value.message === 'string';

/**
 * Converts a thrown value to the error to answer with. A plugin may use the SDK of another installation, whose errors have
 * another class. These are recognised by their report.
 */
export const toGatewayError = (thrown: unknown): GatewayError => {
  if (thrown instanceof GatewayError) return thrown;
  if (!(thrown instanceof Error) || !('report' in thrown) || !isReport(thrown.report)) return asGatewayError(thrown);
  const { status, type } = errorTable[thrown.report.code];
  return new GatewayError({ ...thrown.report, status, type }, { cause: thrown.cause });
};
