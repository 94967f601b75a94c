/** The gateway has no room for a request, or is shutting down. */
export const capacityErrors = {
  overloaded: {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    retryAfterS: 1,
    text: 'The gateway, or the part of it that your workspace may have, has reached its memory limit for bodies.',
    hint: 'Try again after the time in retry-after.',
  },
  'queue-full': {
    status: 429,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: false,
    retryAfterS: 5,
    text: 'Your workspace has {max} {what} waiting, and may not add more.',
    hint: 'Try again after the time in retry-after, when some of them have begun.',
  },
  'share-full': {
    status: 429,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: false,
    retryAfterS: 1,
    text: 'There is no room for another of your {what}: a workspace may have {share} at once, and all workspaces together {size}.',
    hint: 'End some of yours, or try again after the time in retry-after.',
  },
  draining: {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    retryAfterS: 5,
    text: 'The gateway is shutting down.',
    hint: 'Try again after the time in retry-after.',
  },
} as const;
