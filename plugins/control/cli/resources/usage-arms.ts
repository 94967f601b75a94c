import type { ApiCommand } from '../../kernel/resource/api-command.ts';
import { periodFlags } from '../../kernel/resource/flags.ts';

/** `gw usage arms`: what mirrors show. */
export const usageArms: ApiCommand = {
  summary: 'Compares mirrored requests with their copies.',
  route: 'GET /usage/arms',
  flags: {
    ...periodFlags,
    config: { in: 'query', known: { saved: '/configs' }, value: 'NAME', describe: 'Only the mirrors of this config.' },
  },
  shows: {
    as: 'table',
    rows: 'data',
    columns: {
      ...{ CONFIG: 'config', NODE: 'node', ARM: 'arm', PROVIDER: 'provider', MODEL: 'model', REQUESTS: 'requests' },
      ...{ ERRORS: 'errors', MS: 'avg_ms', USD: 'cost', PASSED: 'pass_rate', FEEDBACK: 'feedback_avg' },
    },
    unpriced: 'request',
  },
  notes:
    'PASSED is the share of judged answers that passed the output checks; FEEDBACK is the average feedback of callers.',
};
