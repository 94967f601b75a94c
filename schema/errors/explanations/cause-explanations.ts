import type { Origin } from '../../http/status.ts';

/** The cause of a failure that is no code of an error. */
interface CauseExplanation {
  /** The fact, in one whole sentence. */
  readonly text: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The causes of failed requests, attempts and circuits beside the codes of errors and `upstream-401`. They are loaded when somebody asks for one. */
export const causeExplanations: {
  readonly [Cause in Exclude<Origin, 'upstream' | 'cache'> | 'circuit-open']: CauseExplanation;
} = {
  'circuit-open': {
    text: 'A target was left out, since its circuit is open.',
    cause: 'Its calls had failed too often, as "cb_config" counts them, and its cooldown is not over.',
    remedy:
      'Look for its failed attempts before this request: `gw configs circuits` shows the last failure. It is asked again after its cooldown.',
  },
  timeout: {
    text: 'An attempt was not answered in time.',
    cause: 'The "request_timeout" of the target, or a deadline of the request, was over before an answer began.',
    remedy: 'Give the target a longer "request_timeout", or add a fallback target.',
  },
  network: {
    text: 'No answer came from the provider.',
    cause: 'The connection could not be made, was lost, or carried what is no answer.',
    remedy:
      'Run `gw doctor`, which connects to each host. Correct the custom_host, the proxy or the network as it says.',
  },
  check: {
    text: 'A guardrail denied the request or its answer.',
    cause: 'A check with "deny" found what it looks for.',
    remedy: 'Change the request, or the guardrail. `hook_results` of the answer says which check denied it.',
  },
  limit: {
    text: 'A limit of the gateway refused the request.',
    cause: 'What the key, its user or its workspace may use was used up.',
    remedy: 'Wait for the time in retry-after, or raise the limit: `gw usage` shows what was used.',
  },
  gateway: {
    text: 'The gateway itself answered in place of a provider.',
    cause: 'The request could not be sent to any target as it is.',
    remedy: 'The member error.message of the answer says what to do.',
  },
};
