/** The text of a config, and the types of its members. */
export const shapeDiagnostics = {
  'syntax-error': {
    severity: 'error',
    text: 'This is not valid {format}: {why}.',
    hint: '{suggestion}',
  },
  'duplicate-key': {
    severity: 'error',
    text: 'The key "{key}" appears twice in the same object.',
    hint: 'Keep one of the two; most parsers use the last one.',
  },
  'wrong-file': { severity: 'error', text: 'This is {found}, not {wanted}.', hint: '{suggestion}' },
  'unknown-key': {
    severity: 'error',
    text: '"{key}" is not a setting here.',
    hint: '{suggestion}',
  },
  'wrong-type': {
    severity: 'error',
    text: '{what} must be {expected}, not {found}.',
    hint: '{suggestion}',
  },
  'not-in-list': { severity: 'error', text: '{what} cannot be {value}.', hint: '{suggestion}' },
  'missing-key': {
    severity: 'error',
    text: '{what} requires {keys}.',
    hint: 'Add {keys}.',
  },
  'out-of-range': {
    severity: 'error',
    text: '{what} must be {bound}, not {value}.',
    hint: '{suggestion}',
  },
  'wrong-size': {
    severity: 'error',
    text: '{what} must have {bound}.',
    hint: '{suggestion}',
  },
  'wrong-form': {
    severity: 'error',
    text: '{what} must be {form}.',
    hint: 'Write {form}.',
  },
  'invalid-parameters': {
    severity: 'error',
    text: 'The parameters of {check} cannot be used: {why}.',
    hint: 'Correct them; the documentation of the check describes which belong together.',
  },
  'no-valid-combination': {
    severity: 'error',
    text: '{what} does not specify where requests go: it has no {missing}.',
    hint: '{suggestion}',
  },
} as const;
