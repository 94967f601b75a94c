/** Guardrails of targets. */
export const guardrailDiagnostics = {
  'wrong-phase': {
    severity: 'error',
    text: 'The check "{check}" cannot run on {phase}.',
    hint: 'Move it to {other}.',
  },
  'replaced-guardrails': {
    severity: 'warning',
    text: 'This target has its own list, so the inherited {guardrails} not run here.',
    hint: 'Repeat {names} in the list of this target, unless this is what you want.',
  },
  'contradicting-deny': {
    severity: 'warning',
    text: '"deny" is true, so "deny": false in "on_fail" has no effect.',
    hint: 'Keep one of the two.',
  },
} as const;
