import type { ApiCommand } from '../../kernel/resource/api-command.ts';
import { pagingFlags, periodFlags } from '../../kernel/resource/flags.ts';

/** `gw usage`: what has been used. */
export const usage: ApiCommand = {
  summary: 'Shows what has been used, and what it cost.',
  route: 'GET /usage',
  flags: {
    by: {
      in: 'query',
      member: 'group_by',
      value: 'A,B',
      joins: true,
      describe: 'What it is grouped by: workspace, key, model, provider, config, day, hour, metadata.NAME.',
    },
    ...periodFlags,
    of: {
      in: 'query',
      member: 'workspace_id',
      value: 'WORKSPACE',
      describe: 'Only that of the workspace with this id or slug.',
    },
    key: { in: 'query', known: 'keys', value: 'ID', describe: 'Only that of the key with this id.' },
    model: { in: 'query', known: 'models', value: 'MODEL', describe: 'Only that of requests for this model.' },
    provider: { in: 'query', known: 'providers', value: 'ID', describe: 'Only that of this provider.' },
    config: { in: 'query', known: { saved: '/configs' }, value: 'NAME', describe: 'Only that by this config.' },
    metadata: { in: 'query', value: 'NAME=TEXT', describe: 'Only that of requests with this label.' },
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
    'Whole hours count, in UTC; with a label, whole days. gw usage arms compares what mirrors copied with the copies.',
};
