import type { ApiCommand } from '../../kernel/resource/api-command.ts';

/** `gw usage arms`: what mirrors show. */
export const usageArms: ApiCommand = {
  summary: 'Compares requests that mirrors copied with their copies.',
  route: 'GET /usage/arms',
  flags: {
    since: {
      form: 'since',
      in: 'query',
      member: 'from',
      value: 'TIME',
      describe: 'From when on: 30m, 2h or 7d ago, or 2030-01-31T12:00:00Z; 30 days by default.',
    },
    until: { form: 'time', in: 'query', member: 'to', value: 'TIME', describe: 'Until when: 2030-01-31T12:00:00Z.' },
    config: { in: 'query', value: 'NAME', describe: 'Only the mirrors of this config.' },
  },
  shows: {
    as: 'table',
    rows: 'data',
    columns: {
      ...{ CONFIG: 'config', NODE: 'node', ARM: 'arm', PROVIDER: 'provider', MODEL: 'model', REQUESTS: 'requests' },
      ...{ ERRORS: 'errors', MS: 'avg_ms', USD: 'cost', PASSED: 'pass_rate', FEEDBACK: 'feedback_avg' },
    },
  },
  notes:
    'PASSED is the share of answers that passed the output checks, of those that were judged; FEEDBACK the average of what callers gave.',
};
