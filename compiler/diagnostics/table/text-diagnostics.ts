/** The text of a config. */
export const textDiagnostics = {
  'syntax-error': {
    severity: 'error',
    text: 'This is not valid JSON: {why}.',
    hint: '{suggestion}',
  },
  'duplicate-key': {
    severity: 'error',
    text: 'The key "{key}" appears twice in the same object.',
    hint: 'Keep one of the two; JSON parsers use the last one.',
  },
  'wrong-file': { severity: 'error', text: 'This is {found}, not {wanted}.', hint: '{suggestion}' },
} as const;
