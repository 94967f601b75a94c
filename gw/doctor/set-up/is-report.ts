import type { ErrorReport } from '../../../schema/errors/errors.ts';

/** Whether an error is a report, as in the engine's answers. */
export const isReport = (error: unknown): error is ErrorReport =>
  typeof error === 'object' && error !== null && 'message' in error && 'status' in error;
