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
  trace: { in: 'query', member: 'trace_id', value: 'ID', describe: 'Only requests of this trace.' },
  key: { in: 'query', known: 'keys', member: 'key_id', value: 'ID', describe: 'Only requests of this service key.' },
  model: { in: 'query', known: 'models', value: 'MODEL', describe: 'Only requests that this model answered.' },
  provider: { in: 'query', known: 'providers', value: 'ID', describe: 'Only requests that this provider answered.' },
  slug: {
    in: 'query',
    known: { saved: '/providers' },
    value: 'SLUG',
    describe: 'Only requests that this saved provider answered.',
  },
  config: {
    in: 'query',
    known: { saved: '/configs' },
    value: 'NAME',
    describe: 'Only requests that this config served.',
  },
  prompt: {
    in: 'query',
    known: { saved: '/prompts' },
    member: 'prompt_slug',
    value: 'SLUG',
    describe: 'Only requests that used this stored prompt.',
  },
  status: {
    form: 'number',
    known: 'statuses',
    example: 429,
    in: 'query',
    value: 'CODE',
    describe: 'Only requests with this status.',
  },
  cause: {
    in: 'query',
    known: 'errors',
    value: 'CODE',
    describe: 'Only requests that ended with this error of the gateway.',
  },
  success: {
    form: 'choice',
    in: 'query',
    member: 'is_success',
    describe: 'Only requests that succeeded, or that failed.',
  },
  'min-ms': {
    form: 'number',
    in: 'query',
    member: 'min_ms',
    value: 'MS',
    describe: 'Only requests that took at least this long.',
  },
  metadata: { form: 'pair', in: 'query', value: 'NAME=TEXT', describe: 'Only requests with this label.' },
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
  notes: 'One row for each hour, or for each day over more than a week. --since and --until are required.',
});

const analytics: Resource = {
  name: 'logs analytics',
  summary: 'Show totals of requests.',
  commands: {
    summary: {
      summary: 'Shows all totals of requests at once.',
      route: 'GET /analytics/summary',
      flags: timeFlags,
      shows: { as: 'json' },
      notes: '--since and --until are required.',
    },
    requests: graph('requests', 'Shows the number of requests.', { REQUESTS: 'total' }),
    errors: graph('errors', 'Shows how many requests failed.', { ERRORS: 'total', RATE: 'rate' }),
    cost: graph('cost', 'Shows what requests cost, in billionths of a US dollar.', { COST: 'total', AVERAGE: 'avg' }),
    tokens: graph('tokens', 'Shows how many tokens requests used.', {
      TOKENS: 'total',
      INPUT: 'input',
      OUTPUT: 'output',
    }),
    latency: graph('latency', 'Shows how long requests took, in milliseconds.', {
      ...{ AVERAGE: 'avg', P50: 'p50', P95: 'p95', P99: 'p99', LONGEST: 'max' },
    }),
    'first-byte': graph('first-byte', 'Shows the time to the first byte of the answer, in milliseconds.', {
      ...{ P50: 'p50', P90: 'p90', P95: 'p95', P99: 'p99' },
    }),
    'cache-hit-rate': graph('cache/hit-rate', 'Shows how many requests were answered by caches.', {
      ...{ RATE: 'rate', HITS: 'hits', MISSES: 'misses' },
    }),
    rescued: graph('rescued', 'Shows how many requests succeeded through a fallback.', {
      RESCUED: 'total',
      RATE: 'rate',
    }),
  },
};

const judging: MemberFlags = {
  value: { form: 'number', value: 'N', describe: 'The rating of the answer, 0 to 10; FILE may have a negative one.' },
  metadata: { form: 'pair', value: 'NAME=TEXT', describe: 'A label of the feedback.' },
};

const feedback: Resource = {
  name: 'logs feedback',
  summary: 'Give feedback on the answers of a trace.',
  commands: {
    create: {
      summary: 'Gives feedback on the answers of a trace.',
      route: 'POST /feedback',
      flags: {
        trace: { member: 'trace_id', value: 'ID', describe: 'The trace that the feedback is for.' },
        ...judging,
      },
      file: { name: 'FILE', optional: true },
      shows: { as: 'said', text: 'The feedback was saved: {feedback_ids}' },
      notes: 'FILE has the members of the feedback as JSON: "trace_id", "value" from -10 to 10, "weight", "metadata".',
    },
    update: {
      summary: 'Updates feedback; omitted flags leave its values unchanged.',
      route: 'PUT /feedback/{id}',
      flags: judging,
      file: { name: 'FILE', optional: true },
      shows: { as: 'said', text: 'The feedback {id} was updated.' },
    },
  },
};

/** `gw logs`: what requests did. */
export const logs: Resource = {
  name: 'logs',
  headline: 'Show requests, live or from the log; analytics and feedback.',
  summary: 'Show requests. gw logs lists them, gw logs ID shows one, gw logs --follow shows them as they arrive.',
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
          describe: 'The maximum number of listed records: 1 to 100, 50 by default.',
        },
        after: { in: 'query', value: 'ID', describe: 'The id after which the list begins.' },
      },
      shows: { as: 'table', columns: recordColumns },
    },
    get: {
      summary: 'Shows what happened to a request, or its whole record.',
      route: 'GET /logs/{id}',
      shows: { as: 'request' },
      notes:
        'In a terminal, and with --format human, it prints a short text; otherwise, and with --format json, the whole record as JSON. ID is the id of a record, from the column ID of gw logs list, or a trace id that only one record has. gw explain CONFIG --log ID repeats its routing.',
    },
    replay: {
      summary: 'Shows where a request would have gone with another config. Nothing is sent.',
      route: 'POST /logs/{id}/replay',
      flags: {
        config: { value: 'NAME', describe: 'The saved config, by its slug or id.' },
        version: { form: 'number', value: 'N', describe: 'A version of it; the one in service by default.' },
      },
      file: { name: 'FILE', member: 'config', optional: true },
      shows: { as: 'said', text: '{text}' },
      notes: 'FILE is a config that is not saved. gw replay shows the same for all requests of a log.',
    },
    export: {
      summary: 'Prints all matching records as JSON lines.',
      route: 'GET /logs/export',
      flags: recordFlags,
      shows: { as: 'lines' },
    },
    send: {
      summary: 'Adds the record of a request that the gateway did not serve.',
      route: 'POST /logs',
      file: { name: 'FILE' },
      shows: { as: 'said', text: 'The record was saved.' },
      notes: 'FILE has "request" with "url" and "body", "response" with "body" and "status", and "metadata", as JSON.',
    },
  },
  parts: { analytics, feedback },
};
