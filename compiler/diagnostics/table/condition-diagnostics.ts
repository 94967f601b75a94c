/** Conditions, and the patterns in them. */
export const conditionDiagnostics = {
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
  'slashed-pattern': {
    severity: 'warning',
    text: 'The slashes and the flags are a part of this pattern, so that it finds only texts that have them.',
    hint: 'Write "{pattern}"; flags stand at the beginning, as in (?i).',
  },
  'unequal-type': {
    severity: 'warning',
    text: '"{path}" never equals this string: requests carry {kind} there, and nothing is converted.',
    hint: 'Write the value without quotes.',
  },
} as const;
