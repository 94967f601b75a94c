import type { gatewayErrors } from '../table/gateway-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Errors of the gateway itself after all targets: its guardrails denied the request, or it failed. */
export const gatewayExplanations: { readonly [Code in keyof typeof gatewayErrors]: ErrorExplanation } = {
  'checks-failed': {
    plane: 'requests',
    cause:
      'A check with `deny` found what it looks for, in the request before it was sent or in the response. Nothing of it is passed on.',
    remedy:
      'Change the request. `hook_results` in the response, if the client reads them, says which check denied it and why. A fallback can go on with `on_status_codes: [446]`.',
  },
  'internal-error': {
    plane: 'both',
    cause: 'The gateway failed because of a bug in the gateway or in a plugin.',
    remedy:
      'The operator can find the error in the log under the trace id of this response. If the bug is in the gateway, report it with the request and that log.',
  },
};
