import type { ApiCommand, Columns, MemberFlags, Resource } from '../../kernel/resource/api-command.ts';

/** The flags that filter records. */
export const recordFlags: MemberFlags = {
  since: {
    form: 'since',
    in: 'query',
    member: 'time_min',
    value: 'TIME',
    describe:
      'Records of this time and later: 2026-01-31T12:00:00Z, 2026-01-31 for its start in UTC, or 2h for two hours ago.',
  },
  until: {
    form: 'since',
    in: 'query',
    member: 'time_max',
    value: 'TIME',
    describe: 'Records before this time: 2026-01-31T12:00:00Z, 2026-01-31 for its start in UTC, or 1h for an hour ago.',
  },
  trace: { in: 'query', member: 'trace_id', value: 'ID', describe: 'Those of a trace.' },
  key: { in: 'query', known: 'keys', member: 'key_id', value: 'ID', describe: 'Those of a service key.' },
  model: { in: 'query', known: 'models', value: 'MODEL', describe: 'Those that this model answered.' },
  provider: { in: 'query', known: 'providers', value: 'ID', describe: 'Those that this provider answered.' },
  slug: {
    in: 'query',
    known: { saved: '/providers' },
    value: 'SLUG',
    describe: 'Those that a saved provider answered.',
  },
  config: { in: 'query', known: { saved: '/configs' }, value: 'NAME', describe: 'Those that a config served.' },
  prompt: {
    in: 'query',
    known: { saved: '/prompts' },
    member: 'prompt_slug',
    value: 'SLUG',
    describe: 'Those that sent a stored prompt.',
  },
  status: {
    form: 'number',
    known: 'statuses',
    example: 429,
    in: 'query',
    value: 'CODE',
    describe: 'Those with this status.',
  },
  cause: { in: 'query', known: 'errors', value: 'CODE', describe: 'Those that ended with this error of the gateway.' },
  success: { form: 'choice', in: 'query', member: 'is_success', describe: 'Whether they went well.' },
  'min-ms': { form: 'number', in: 'query', member: 'min_ms', value: 'MS', describe: 'Those that took so long.' },
  metadata: { form: 'pair', in: 'query', value: 'NAME=TEXT', describe: 'Those with this label.' },
};

/** The columns of a table of records. */
export const recordColumns: Columns = {
  ...{ TIME: 'time', STATUS: 'status', MODEL: 'model', PROVIDER: 'provider', MS: 'ms', TOKENS: 'total_tokens' },
  ...{ TRIES: 'attempt_count', CACHE: 'cache_status', END: 'end', ID: 'id', PROBLEM: 'problem' },
};

const timeFlags: MemberFlags = Object.fromEntries(
  Object.entries(recordFlags).filter(([flag]) =>
    ['since', 'until', 'key', 'model', 'provider', 'config', 'prompt', 'status'].includes(flag),
  ),
);

const graph = (path: string, summary: string, columns: Columns): ApiCommand => ({
  summary,
  route: `GET /analytics/graphs/${path}`,
  flags: timeFlags,
  shows: { as: 'table', rows: 'data_points', columns: { TIME: 'timestamp', ...columns } },
  notes: 'Hours, or days if more than a week is asked for. --since and --until are required.',
});

const analytics: Resource = {
  name: 'logs analytics',
  summary: 'Show totals of requests.',
  commands: {
    summary: {
      summary: 'The totals of requests, all figures at once.',
      route: 'GET /analytics/summary',
      flags: timeFlags,
      shows: { as: 'json' },
      notes: '--since and --until are required.',
    },
    requests: graph('requests', 'How many requests there were.', { REQUESTS: 'total' }),
    errors: graph('errors', 'How many requests failed.', { ERRORS: 'total', RATE: 'rate' }),
    cost: graph('cost', 'What requests cost, in billionths of a US dollar.', { COST: 'total', AVERAGE: 'avg' }),
    tokens: graph('tokens', 'How many tokens requests used.', { TOKENS: 'total', INPUT: 'input', OUTPUT: 'output' }),
    latency: graph('latency', 'How long requests took, in milliseconds.', {
      ...{ AVERAGE: 'avg', P50: 'p50', P95: 'p95', P99: 'p99', LONGEST: 'max' },
    }),
    'first-byte': graph('first-byte', 'How long requests took to the first byte of the answer, in milliseconds.', {
      ...{ P50: 'p50', P90: 'p90', P95: 'p95', P99: 'p99' },
    }),
    'cache-hit-rate': graph('cache/hit-rate', 'How many requests caches have answered.', {
      ...{ RATE: 'rate', HITS: 'hits', MISSES: 'misses' },
    }),
    rescued: graph('rescued', 'How many requests succeeded by a fallback.', { RESCUED: 'total', RATE: 'rate' }),
  },
};

const judging: MemberFlags = {
  value: { form: 'number', value: 'N', describe: 'What the answer is worth, 0 to 10; FILE may say less than 0.' },
  metadata: { form: 'pair', value: 'NAME=TEXT', describe: 'A label of the judgement.' },
};

const feedback: Resource = {
  name: 'logs feedback',
  summary: 'Judge the answers of a trace.',
  commands: {
    create: {
      summary: 'Judges the answers of a trace.',
      route: 'POST /feedback',
      flags: { trace: { member: 'trace_id', value: 'ID', describe: 'The trace that is judged.' }, ...judging },
      file: { name: 'FILE', optional: true },
      shows: { as: 'said', text: 'The feedback was saved: {feedback_ids}' },
      notes: 'FILE has the members of the judgement as JSON: "trace_id", "value" from -10 to 10, "weight", "metadata".',
    },
    update: {
      summary: 'Changes a judgement; what is not given stays.',
      route: 'PUT /feedback/{id}',
      flags: judging,
      file: { name: 'FILE', optional: true },
      shows: { as: 'said', text: 'The feedback {id} was changed.' },
    },
  },
};

/** `gw logs`: what requests did. */
export const logs: Resource = {
  name: 'logs',
  headline: 'Show logged requests, also live, with analytics and feedback.',
  summary:
    'Show what requests did. gw logs alone lists them, gw logs ID shows one, gw logs --follow shows them as they come.',
  commands: {
    list: {
      summary: 'Lists requests, the newest first.',
      route: 'GET /logs',
      flags: {
        ...recordFlags,
        limit: {
          form: 'number',
          in: 'query',
          value: 'N',
          describe: 'The maximum number to list: 1 to 100, 50 by default.',
        },
        after: { in: 'query', value: 'ID', describe: 'The id after which the list begins.' },
      },
      shows: { as: 'table', columns: recordColumns },
    },
    get: {
      summary: 'Shows what happened to a request, or all that is kept of it.',
      route: 'GET /logs/{id}',
      shows: { as: 'request' },
      notes:
        'At a terminal and with --format human it is a short text; else, and with --format json, all that is kept, as JSON. ID is that of a record, in the column ID of gw logs list, or a trace id that one record has. gw explain CONFIG --log ID repeats what it did.',
    },
    replay: {
      summary: 'Shows where a request would have gone on another config. Nothing is sent.',
      route: 'POST /logs/{id}/replay',
      flags: {
        config: { value: 'NAME', describe: 'The saved config, by its slug or id.' },
        version: { form: 'number', value: 'N', describe: 'A version of it; the one in service by default.' },
      },
      file: { name: 'FILE', member: 'config', optional: true },
      shows: { as: 'said', text: '{text}' },
      notes: 'FILE is a config that is not saved. gw replay says the same of all requests of a log.',
    },
    export: {
      summary: 'Prints all records of a choice as lines of JSON.',
      route: 'GET /logs/export',
      flags: recordFlags,
      shows: { as: 'lines' },
    },
    send: {
      summary: 'Adds what a request did that the gateway has not served.',
      route: 'POST /logs',
      file: { name: 'FILE' },
      shows: { as: 'said', text: 'The record was saved.' },
      notes: 'FILE has "request" with "url" and "body", "response" with "body" and "status", and "metadata", as JSON.',
    },
  },
  parts: { analytics, feedback },
};
