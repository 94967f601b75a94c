import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { Outcome } from '../../../schema/http/status.ts';

const cut: Outcome = { status: 502, origin: 'network' };
const idle: Outcome = { status: 408, origin: 'timeout' };

/**
 * Returns the answer that a broken stream would have been, for the triggers of fallbacks. Undefined if the gateway ended the
 * stream itself, or if its provider reports that the request is at fault, so that no other target would help.
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
