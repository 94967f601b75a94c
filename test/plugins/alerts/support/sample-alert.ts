import type { Alert, Occurrence } from '../../../../plugins/alerts/messages/alert.ts';

export const sampleOccurrence: Occurrence = {
  kind: 'circuit.open',
  key: 'circuit.open gw-1 team main first',
  state: 'open',
  severity: 'error',
  title: 'The circuit of target "first" in config "main" is open.',
  action: 'Look at what its provider answers.',
  ...{ tenant: 'ws-1', organisation: 'org-1', workspace: 'ws-1' },
  details: { config: 'main', target: 'first' },
};

/** An alert message for `sampleOccurrence`, created at the beginning of 2026. */
export const sampleAlert = (given: Partial<Alert> = {}): Alert => ({
  ...sampleOccurrence,
  ...{ id: 'msg_1', at: Date.UTC(2026, 0, 1), count: 1, samples: [] },
  ...given,
});
