import type { ApiCommand } from '../../kernel/resource/api-command.ts';
import { pagingFlags, periodFlags } from '../../kernel/resource/flags.ts';

/** `gw usage`: what has been used. */
export const usage: ApiCommand = {
  summary: 'Shows usage and costs.',
  route: 'GET /usage',
  flags: {
    by: {
      in: 'query',
      member: 'group_by',
      value: 'A,B',
      joins: true,
      describe: 'What to group by: workspace, key, model, provider, config, day, hour, metadata.NAME.',
    },
    ...periodFlags,
    of: {
      in: 'query',
      member: 'workspace_id',
      value: 'WORKSPACE',
      describe: 'Only the usage of the workspace with this id or slug.',
    },
    key: { in: 'query', known: 'keys', value: 'ID', describe: 'Only the usage of the key with this id.' },
    model: { in: 'query', known: 'models', value: 'MODEL', describe: 'Only the usage of requests for this model.' },
    provider: { in: 'query', known: 'providers', value: 'ID', describe: 'Only the usage of this provider.' },
    config: {
      in: 'query',
      known: { saved: '/configs' },
      value: 'NAME',
      describe: 'Only the usage of requests with this config.',
    },
    metadata: { in: 'query', value: 'NAME=TEXT', describe: 'Only the usage of requests with this label.' },
    ...pagingFlags,
  },
  shows: {
    as: 'sums',
    columns: {
      ...{ REQUESTS: 'requests', ATTEMPTS: 'attempts', INPUT: 'input_tokens', CACHED: 'cache_read_tokens' },
      ...{ OUTPUT: 'output_tokens', REASONING: 'reasoning_tokens', USD: 'cost' },
    },
    unpriced: 'attempt',
  },
  notes:
    'Usage is counted by whole hours in UTC, or by whole days with a label. gw usage arms compares mirrored requests with their copies.',
};
