/** Weights, lists of statuses, and conditions with their patterns. */
export const routingDiagnostics = {
  'zero-weight': {
    severity: 'warning',
    text: 'A target with weight 0 is never chosen.',
    hint: 'Give it a weight above 0, or remove it.',
  },
  'negative-weight': { severity: 'error', text: 'A weight cannot be negative.', hint: 'Write 0 or more.' },
  'all-zero-weights': {
    severity: 'error',
    text: 'Every target here has weight 0, so none can be chosen.',
    hint: 'Give at least one target a weight above 0.',
  },
  'uneven-weights': {
    severity: 'error',
    text: 'These weights differ too much in size to be represented exactly.',
    hint: 'Use weights with fewer digits.',
  },
  'mixed-weights': {
    severity: 'warning',
    text: 'The weights here mix two scales: a weight of {share} next to {other} gets only {percent} % of the requests.',
    hint: 'Write all weights as fractions, or all as percentages.',
  },
  'forgotten-weight': {
    severity: 'warning',
    text: 'This target has no weight and counts as 1, so it gets {percent} % of the requests next to a weight of {other}.',
    hint: 'Give it a "weight" on the scale of the others.',
  },
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
  'unknown-fact': {
    severity: 'error',
    text: 'A condition cannot test "{path}".',
    hint: '{suggestion}',
  },
  'unknown-operator': { severity: 'error', text: 'There is no operator "{operator}".', hint: '{suggestion}' },
  'wrong-operand': {
    severity: 'error',
    text: '"{operator}" takes {expected}, not {found}.',
    hint: '{suggestion}',
  },
  'mixed-element-match': {
    severity: 'error',
    text: '"$elemMatch" takes either operators or members of an element, not both.',
    hint: 'Write operators for elements that are texts or numbers, and members, each with its own operators, for objects.',
  },
  'never-a-list': {
    severity: 'error',
    text: '"{operator}" needs a list, but "{path}" is never one.',
    hint: 'Only members of the body can be lists, such as "params.messages"; compare "{path}" with "$eq", "$in" or "$regex".',
  },
  'unlikely-list': {
    severity: 'warning',
    text: '"{operator}" matches only lists, but "{path}" is {kind} in requests.',
    hint: 'Test a member of the body that is a list, such as "params.messages" or "params.tools".',
  },
  'empty-comparison': {
    severity: 'error',
    text: 'This condition does not compare "{path}" with anything.',
    hint: 'Write a value, or an object with an operator such as "$eq".',
  },
  'invalid-regex': {
    severity: 'error',
    text: 'This is not a valid pattern: {why}.',
    hint: '{suggestion}',
  },
  'matches-any-text': {
    severity: 'warning',
    text: 'This pattern matches every string.',
    hint: 'Write what the value contains, or use "$exists" with true instead of the pattern.',
  },
  'matches-no-text': {
    severity: 'warning',
    text: 'No string matches this pattern.',
    hint: '"^" and "$" are the ends of the whole value, and "\\b" is between a word and something else; write "\\$" for a dollar sign.',
  },
  'unread-glob': {
    severity: 'warning',
    text: 'This is not interpreted as a pattern with wildcards: {why}.',
    hint: '{suggestion}',
  },
  'slashed-pattern': {
    severity: 'warning',
    text: 'The slashes and the flags are part of this pattern, so it matches only texts that contain them.',
    hint: 'Write "{pattern}"; flags go at the beginning, as in (?i).',
  },
  'unequal-type': {
    severity: 'warning',
    text: '"{path}" never {relation}: it is {kind} in requests, and values are not converted.',
    hint: '{suggestion}',
  },
  'null-comparison': {
    severity: 'warning',
    text: 'A missing "{path}" is not null, so this comparison with null {effect}.',
    hint: '{suggestion}',
  },
  'stray-blank': {
    severity: 'warning',
    text: '{what} starts or ends with a blank, which is part of it.',
    hint: 'Write {plain}, without the blank.',
  },
  'nested-label': {
    severity: 'warning',
    text: 'Labels are strings, numbers, true or false, so "{path}" never exists.',
    hint: 'Send it as a separate label, and test "metadata.{name}".',
  },
  'undeclared-label': {
    severity: 'warning',
    text: 'The gateway file declares no label "{name}" under "metadata".',
    hint: '{suggestion}',
  },
  'undeclared-value': {
    severity: 'warning',
    text: 'The gateway file declares the label "{name}" as {expected}, and {other}.',
    hint: '{suggestion}',
  },
  'unlikely-path': {
    severity: 'warning',
    text: 'No known request has the path "{path}".',
    hint: '{suggestion}',
  },
  'capability-gap': {
    severity: 'note',
    text: 'This target does not serve everything that "{first}" serves: {gaps}.',
    hint: 'Such requests fail here, or lose these parts. "require": "capabilities" in the strategy sends them only to targets that serve them. gw explain shows why each of them is not served.',
  },
  'never-continued': {
    severity: 'warning',
    text: 'Streams that break do not continue at this target: its output checks {why}.',
    hint: 'Let its checks only report, or remove "continue" from the fallback.',
  },
} as const;
