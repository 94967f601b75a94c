import type { Origin } from '../../http/status.ts';

/** The explanation of a failure's cause that is not an error code. */
interface CauseExplanation {
  /** The fact, in one full sentence. */
  readonly text: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The causes of failed requests, attempts and circuits other than error codes and `upstream-401`. Loaded on demand. */
export const causeExplanations: {
  readonly [Cause in Exclude<Origin, 'upstream' | 'cache'> | 'circuit-open']: CauseExplanation;
} = {
  'circuit-open': {
    text: 'A target was skipped because its circuit is open.',
    cause: 'Calls to the target failed more often than "cb_config" allows, and its cooldown is not over.',
    remedy:
      "Look for the target's failed attempts before this request: `gw configs circuits` shows the last failure. The target is called again after its cooldown.",
  },
  timeout: {
    text: 'The provider did not respond to an attempt in time.',
    cause: 'The "request_timeout" of the target, or a deadline of the request, passed before a response began.',
    remedy: 'Give the target a longer "request_timeout", or add a fallback target.',
  },
  network: {
    text: 'The provider did not respond.',
    cause: 'The connection could not be established, was lost, or carried something that is not a valid response.',
    remedy:
      'Run `gw doctor`, which connects to each host, and correct the custom_host, the proxy or the network accordingly.',
  },
  check: {
    text: 'A guardrail denied the request or its response.',
    cause: 'A check with "deny" found what it looks for.',
    remedy: 'Change the request or the guardrail. `hook_results` in the response says which check denied it.',
  },
  limit: {
    text: 'A limit of the gateway refused the request.',
    cause: 'The key, its user or its workspace has used all that it may use.',
    remedy: 'Wait for the time in retry-after, or raise the limit. `gw usage` shows what was used.',
  },
  gateway: {
    text: 'The gateway itself responded instead of a provider.',
    cause: 'The request could not be sent to any target in this form.',
    remedy: 'The member error.message of the response says what to do.',
  },
};
