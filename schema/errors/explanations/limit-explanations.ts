import type { limitErrors } from '../table/limit-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Limits of callers, and the capacity of the gateway. */
export const limitExplanations: { readonly [Code in keyof typeof limitErrors]: ErrorExplanation } = {
  'spool-failed': {
    plane: 'requests',
    cause:
      'Large forms, such as audio files, are first written to the folder `spool_dir`, but the disk is full or the folder is not writable.',
    remedy:
      'Send the request again later. The operator must free disk space, or correct `spool_dir` in the gateway file.',
  },
  overloaded: {
    plane: 'both',
    cause:
      'The gateway has no room for further requests, or the workspace has used its share. Requests of low priority are refused first.',
    remedy:
      'Send the request again after the time in `retry-after`. The operator can see the load in the metrics, raise the limits in `overload` and `limits` of the gateway file, or run more workers.',
  },
  'target-overloaded': {
    plane: 'requests',
    cause:
      'The target is serving as many requests at once as its measured or configured concurrency allows, and this one would have waited too long.',
    remedy: 'Send the request again after the time in `retry-after`, or add a fallback target.',
  },
  'compared-too-often': {
    plane: 'control',
    cause: 'A secret can be compared with the saved one only a few times, so that it cannot be guessed.',
    remedy: 'Wait for the time in `retry-after`, or send the new secret itself, without a comparison.',
  },
  'tried-too-often': {
    plane: 'control',
    cause:
      'Each workspace can make only a limited number of trials per minute. Trials of providers, of guardrails, and of logged requests on another config are each counted separately.',
    remedy: 'Wait for the time in `retry-after`.',
  },
  'guessed-too-often': {
    plane: 'control',
    cause: 'One address sent too many invalid keys within a minute.',
    remedy: 'Wait for the time in `retry-after`, and sign in with a valid key.',
  },
  'queue-full': {
    plane: 'both',
    cause: 'The workspace already has the most jobs, transfers or configs of requests waiting that it may have.',
    remedy: 'Wait until some of them have begun, and send the request again.',
  },
  'share-full': {
    plane: 'control',
    cause:
      'A gateway can have only a limited number of things open at once, such as streams of the log. All workspaces share them, and this workspace has used its whole share.',
    remedy: 'Close some of them, or send the request again after the time in `retry-after`.',
  },
  draining: {
    plane: 'both',
    cause: 'The gateway is shutting down: it finishes the requests that it has and accepts no new ones.',
    remedy: 'Send the request again. A load balancer that checks `/readyz` sends it to another gateway.',
  },
  'deadline-exceeded': {
    plane: 'requests',
    cause:
      '`x-gw-deadline`, or `deadline_ms` of the config, passed before a response was complete. Retries and waits count towards it.',
    remedy: 'Raise the lower of the two, ask for a shorter answer, or use faster targets.',
  },
  'cost-exceeded': {
    plane: 'requests',
    cause:
      'The attempt was not sent because the most that it can cost would bring the request above `x-gw-max-cost` or `max_cost_usd`.',
    remedy: 'Use a cheaper model, lower `max_tokens`, or raise the lower of the two limits.',
  },
  'rate-limited': {
    plane: 'requests',
    cause:
      'A policy limits the requests or tokens per minute, hour or day, and this caller has used them up. The response names the policy.',
    remedy:
      'Wait for the time in `retry-after`, or ask whoever manages the policy to raise it: `gw policies rate list`.',
  },
  'usage-exhausted': {
    plane: 'requests',
    cause:
      'A policy limits the cost or the tokens per period, and this caller has used them up. The response names the policy and the labels of the request that it counts by. Waiting a little does not help.',
    remedy: 'Wait until a new period begins, or ask whoever manages the policy to raise it: `gw policies usage list`.',
  },
  'limit-reserved': {
    plane: 'requests',
    cause: 'The rest of the limit is reserved for requests that are in progress, each with the most that it may use.',
    remedy: 'Send the request again after the time in `retry-after`. A lower `max_tokens` reserves less.',
  },
  'limits-unavailable': {
    plane: 'requests',
    cause:
      'The counters of a limit are in a store or in Redis that cannot be reached, and this limit refuses requests that it cannot count.',
    remedy: 'Send the request again after the time in `retry-after`. The operator should check `/readyz`.',
  },
  'unreadable-limit': {
    plane: 'requests',
    cause:
      'The store has a limit that this version of the gateway cannot read: its row was changed by hand, was damaged, or was written by a later version.',
    remedy:
      "The operator can find the limit in the gateway's log, and save it again or delete it. Requests that it does not cover are served in the meantime.",
  },
  'unpriced-model': {
    plane: 'requests',
    cause: 'A cost limit applies, but the model has no price, so its cost cannot be counted.',
    remedy: 'Choose a model with a price. The operator can add a price under `prices` in the gateway file.',
  },
  'unmeasured-request': {
    plane: 'requests',
    cause: 'A limit of tokens or cost applies, but the responses of this path do not report what was used.',
    remedy: 'Call an endpoint whose usage the gateway reads, such as `/v1/chat/completions`.',
  },
};
