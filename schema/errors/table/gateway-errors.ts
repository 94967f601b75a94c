import { deniedStatus } from '../../http/status.ts';

/** Errors of the gateway itself after all targets: its guardrails denied the request, or it failed. */
export const gatewayErrors = {
  'checks-failed': {
    // Isolated declarations need this assertion to know the type of the table.
    status: deniedStatus as typeof deniedStatus,
    type: 'hooks_failed',
    fault: 'caller',
    curable: true,
    text: 'A guardrail denied this {phase}.',
    // A stream that has begun ends with this error alone where its client is strict.
    hint: 'Change the request. The results of the checks, if this error includes them, show which one denied it, and why.',
  },
  'internal-error': {
    status: 500,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The gateway failed because of an internal error.',
    hint: "See the gateway's log under this trace id.",
  },
} as const;
