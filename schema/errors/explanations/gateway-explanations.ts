import type { gatewayErrors } from '../table/gateway-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Errors of the gateway itself after all targets: its guardrails denied, or it failed. */
export const gatewayExplanations: { readonly [Code in keyof typeof gatewayErrors]: ErrorExplanation } = {
  'checks-failed': {
    plane: 'requests',
    cause:
      'A check with `deny` found what it looks for, in the request before it was sent or in the answer. Nothing of it is passed on.',
    remedy:
      'Change the request. `hook_results` of the answer, where the client reads them, says which check denied it, and why; a fallback can go on with `on_status_codes: [446]`.',
  },
  'internal-error': {
    plane: 'both',
    cause: 'The gateway failed because of a mistake in itself or in a plugin.',
    remedy:
      "The operator finds the error in the log under the trace id of this answer. If it is the gateway's, report it with the request and that log.",
  },
};
