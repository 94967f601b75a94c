import type { CheckInput } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { RunMessage } from '../protocol/protocol.ts';

export interface WatchedOptions {
  readonly cancellation: Cancellation;
  /** Records that the check read something that may differ between targets. */
  readonly recordTargetRead: () => void;
}

/** Creates the input of a check, as a check in the gateway's process would receive it. */
export const watchedInput = (
  { request, target, ...input }: RunMessage['input'],
  { cancellation, recordTargetRead }: WatchedOptions,
): CheckInput => ({
  ...input,
  cancellation,
  get request() {
    recordTargetRead();
    return request;
  },
  get target() {
    recordTargetRead();
    return target;
  },
});
