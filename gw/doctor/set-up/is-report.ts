import type { ErrorReport } from '../../../schema/errors/errors.ts';

/** Whether an error is the report of one, as answers of the engine have it. */
export const isReport = (error: unknown): error is ErrorReport =>
  typeof error === 'object' && error !== null && 'message' in error && 'status' in error;
