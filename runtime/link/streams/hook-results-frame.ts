import type { Dialect, Frame } from '../../../plugins/sdk/dialect.ts';
import type { HookResult } from '../../../plugins/sdk/hook-result.ts';
import { errorReport } from '../../../schema/errors.ts';

interface HookResults {
  readonly before_request_hooks?: readonly HookResult[];
  readonly after_request_hooks?: readonly HookResult[];
}

/** The event of a stream that shows results of checks. It has a name if the dialect's events have names. */
export const hookResultsFrame = (results: HookResults, dialect: Dialect): Frame => {
  const data = JSON.stringify({ hook_results: results });
  const isNamed = dialect.encodeStreamError(errorReport('stream-cut', {})).event !== undefined;
  return isNamed ? { event: 'hook_results', data } : { data };
};
