import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { Outcome } from '../../../schema/http/status.ts';

const cut: Outcome = { status: 502, origin: 'network' };
const idle: Outcome = { status: 408, origin: 'timeout' };

/**
 * The answer that a stream which broke would have been, for the triggers of fallbacks; undefined where the gateway ended it
 * itself, or its provider says that the request is at fault: no other target helps there.
 */
export const breakOutcome = ({ code, status }: ErrorReport): Outcome | undefined => {
  switch (code) {
    case 'stream-cut':
    case 'unreadable-answer':
      return cut;
    case 'stream-error':
      return status >= 500 ? cut : undefined;
    case 'stream-idle':
      return idle;
    default:
      return undefined;
  }
};
