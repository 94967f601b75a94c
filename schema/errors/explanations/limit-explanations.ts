import type { limitErrors } from '../table/limit-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Limits of callers, and the capacity of the gateway. */
export const limitExplanations: { readonly [Code in keyof typeof limitErrors]: ErrorExplanation } = {
  'spool-failed': {
    plane: 'requests',
    cause:
      'Large forms, such as audio files, are first written to the folder `spool_dir`; the disk is full, or the folder cannot be written.',
    remedy: 'Send the request again later. The operator frees the disk, or corrects `spool_dir` of the gateway file.',
  },
  overloaded: {
    plane: 'both',
    cause:
      'The gateway has as many requests as it has room for, or the workspace has its share of them. Requests of low priority are refused first.',
    remedy:
      'Send the request again after the time in `retry-after`. The operator sees the load in the metrics, and can raise what `overload` and `limits` of the gateway file allow, or run more workers.',
  },
  'target-overloaded': {
    plane: 'requests',
    cause:
      'The target serves as many requests at once as it can, by its measured or configured concurrency, and this one would have waited too long.',
    remedy: 'Send the request again after the time in `retry-after`, or add a fallback target.',
  },
  'compared-too-often': {
    plane: 'control',
    cause: 'A secret can be compared with the saved one a few times only, so that it cannot be guessed.',
    remedy: 'Wait for the time in `retry-after`, or send the new secret itself, without a comparison.',
  },
  'tried-too-often': {
    plane: 'control',
    cause:
      'Trials of providers, of guardrails, and of logged requests on another config are limited, each by itself, for each workspace and minute.',
    remedy: 'Wait for the time in `retry-after`.',
  },
  'guessed-too-often': {
    plane: 'control',
    cause: 'Too many keys that are not valid came from one address within a minute.',
    remedy: 'Wait for the time in `retry-after`, and sign in with a key that is valid.',
  },
  'queue-full': {
    plane: 'both',
    cause: 'The workspace has as many jobs, transfers or configs of requests waiting as it may have.',
    remedy: 'Wait until some of them have begun, and send the request again.',
  },
  'share-full': {
    plane: 'control',
    cause:
      'All workspaces share what a gateway can have open at once, such as streams of the log, and this workspace has its whole share.',
    remedy: 'End some of them, or send the request again after the time in `retry-after`.',
  },
  draining: {
    plane: 'both',
    cause: 'The gateway was asked to stop: it finishes the requests that it has and takes no new ones.',
    remedy: 'Send the request again: a load balancer that reads `/readyz` sends it to another gateway.',
  },
  'deadline-exceeded': {
    plane: 'requests',
    cause:
      '`x-gw-deadline`, or `deadline_ms` of the config, has passed before an answer was complete, retries and waits included.',
    remedy: 'Raise the nearer of the two, ask for a shorter answer, or use faster targets.',
  },
  'cost-exceeded': {
    plane: 'requests',
    cause:
      'The attempt, at its most, would bring the request above `x-gw-max-cost` or `max_cost_usd`. It was not sent.',
    remedy: 'Name a cheaper model, lower `max_tokens`, or raise the lower of the two bounds.',
  },
  'rate-limited': {
    plane: 'requests',
    cause:
      'A policy limits the requests or tokens of each minute, hour or day, and this caller has used them. The answer names the policy.',
    remedy: 'Wait for the time in `retry-after`, or ask who manages the policy for more: `gw policies rate list`.',
  },
  'usage-exhausted': {
    plane: 'requests',
    cause:
      'A policy limits the cost or the tokens of a period, and this caller has used all of it. The answer names the policy, and the labels of the request that it counts by. Waiting a little does not help.',
    remedy: 'Wait until the period begins anew, or ask who manages the policy for more: `gw policies usage list`.',
  },
  'limit-reserved': {
    plane: 'requests',
    cause:
      'What the limit still allows is held by requests that are being answered, each with the most that it may use.',
    remedy: 'Send the request again after the time in `retry-after`. A lower `max_tokens` holds less.',
  },
  'limits-unavailable': {
    plane: 'requests',
    cause:
      'The counters of a limit are in a store or in Redis, which cannot be reached, and this limit refuses what it cannot count.',
    remedy: 'Send the request again after the time in `retry-after`. The operator looks at `/readyz`.',
  },
  'unreadable-limit': {
    plane: 'requests',
    cause:
      'The store has a limit that this version of the gateway cannot read: its row was changed by hand or damaged, or a later version wrote it.',
    remedy:
      'The operator finds the limit in the log of the gateway, and saves it anew or deletes it. What it does not cover is served meanwhile.',
  },
  'unpriced-model': {
    plane: 'requests',
    cause: 'A limit of cost holds, and the model has no price, so that its cost cannot be counted.',
    remedy: 'Choose a model with a price. The operator adds one under `prices` of the gateway file.',
  },
  'unmeasured-request': {
    plane: 'requests',
    cause: 'A limit of tokens or cost holds, and the answer of this path does not say what was used.',
    remedy: 'Call an endpoint whose usage the gateway reads, such as `/v1/chat/completions`.',
  },
};
