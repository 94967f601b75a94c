import type { CheckInput } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { RunMessage } from '../protocol/protocol.ts';

export interface WatchedOptions {
  readonly cancellation: Cancellation;
  /** The check looks at what may differ from one target to the next. */
  readonly looksAtTarget: () => void;
}

/** The input of a check, as it is given to one in the process of the gateway. */
export const watchedInput = (
  { request, target, ...input }: RunMessage['input'],
  { cancellation, looksAtTarget }: WatchedOptions,
): CheckInput => ({
  ...input,
  cancellation,
  get request() {
    looksAtTarget();
    return request;
  },
  get target() {
    looksAtTarget();
    return target;
  },
});
