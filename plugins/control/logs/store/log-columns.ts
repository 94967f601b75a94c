/** The columns of the tables of the log; `?` at the end: may be null. Both databases have the same ones. */
export const logColumns = {
  log_records: {
    workspace_id: 'text',
    id: 'text',
    organisation_id: 'text',
    created_at: 'integer',
    trace_id: 'text',
    key_id: 'text?',
    config: 'text?',
    plan: 'text?',
    method: 'text',
    path: 'text',
    operation: 'text',
    leaf: 'text?',
    prompt: 'text?',
    target: 'text?',
    provider: 'text?',
    slug: 'text?',
    requested_model: 'text?',
    model: 'text?',
    status: 'integer',
    cause: 'text?',
    ending: 'text',
    is_success: 'integer',
    micros: 'integer',
    attempts: 'integer',
    retries: 'integer',
    fell_back: 'integer',
    balanced: 'integer',
    input_tokens: 'integer',
    output_tokens: 'integer',
    cost: 'integer',
    cache_status: 'text?',
    source: 'text',
    metadata: 'text',
    bytes: 'integer',
  },
  log_details: { id: 'text', workspace_id: 'text', detail: 'text', bodies: 'text?' },
  log_labels: { workspace_id: 'text', name: 'text', value: 'text', id: 'text' },
  log_hours: {
    workspace_id: 'text',
    hour: 'integer',
    key_id: 'text',
    config: 'text',
    prompt: 'text',
    provider: 'text',
    model: 'text',
    status: 'integer',
    requests: 'integer',
    errors: 'integer',
    micros: 'integer',
    most_micros: 'integer',
    input_tokens: 'integer',
    output_tokens: 'integer',
    cost: 'integer',
    cache_hits: 'integer',
    cache_misses: 'integer',
  },
  log_feedback: {
    id: 'text',
    workspace_id: 'text',
    trace_id: 'text',
    value: 'integer',
    weight: 'integer',
    metadata: 'text',
    key_id: 'text?',
    created_at: 'integer',
    updated_at: 'integer',
  },
  log_totals: { name: 'text', value: 'integer' },
} as const;

export type LogTableName = keyof typeof logColumns;

type ValueOf<Type> = Type extends 'text'
  ? string
  : Type extends 'integer'
    ? number
    : Type extends 'text?'
      ? string | null
      : number | null;

/** A row of a table of the log. */
export type LogRow<Name extends LogTableName> = {
  -readonly [Column in keyof (typeof logColumns)[Name]]: ValueOf<(typeof logColumns)[Name][Column]>;
};

/** The tables of the log, by name. */
export type LogTables = { [Name in LogTableName]: LogRow<Name> };

/**
 * One request. Its `id` holds its `created_at`, in milliseconds since the epoch. `micros` are microseconds, `cost` billionths
 * of a US dollar, and `metadata` a JSON object of texts.
 */
export type RecordRow = LogRow<'log_records'>;
