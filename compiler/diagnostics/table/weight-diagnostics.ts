/** Weights of load balances. */
export const weightDiagnostics = {
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
    text: 'The weights here mix two scales: a weight of {share} beside {other} gets only {percent} % of the requests.',
    hint: '{suggestion}',
  },
} as const;
