import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { errorReport } from '../../../schema/errors/errors.ts';

/**
 * Returns the stream event that shows results of checks, which are JSON text. It has a name if the dialect's events have names.
 */
export const hookResultsFrame = (
  phase: 'before_request_hooks' | 'after_request_hooks',
  results: string,
  dialect: Dialect,
): Frame => {
  const data = `{"hook_results":{"${phase}":${results}}}`;
  const isNamed = dialect.encodeStreamError(errorReport('stream-cut', {})).event !== undefined;
  return isNamed ? { event: 'hook_results', data } : { data };
};
