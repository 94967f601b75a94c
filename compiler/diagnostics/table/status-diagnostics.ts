/** Lists of statuses. */
export const statusDiagnostics = {
  'impossible-status': {
    severity: 'warning',
    text: 'The status {status} never occurs here: {why}.',
    hint: '{suggestion}',
  },
  'success-status': {
    severity: 'warning',
    text: 'The status {status} is a success, so listing it would {consequence}.',
    hint: 'Remove it, unless this is what you want.',
  },
  'duplicate-item': {
    severity: 'warning',
    text: '{what} appears more than once in "{list}".',
    hint: '{suggestion}',
  },
  'empty-trigger': {
    severity: 'warning',
    text: 'With an empty "on_status_codes" the fallback never tries its next target.',
    hint: 'List statuses, or remove the setting; the fallback then acts on every status other than 2xx.',
  },
  'retry-covers-nothing': {
    severity: 'warning',
    text: 'With an empty "on_status_codes" only network failures are retried.',
    hint: 'List statuses, or remove the setting; 429, 500, 502, 503, 504 and 529 are then retried.',
  },
} as const;
