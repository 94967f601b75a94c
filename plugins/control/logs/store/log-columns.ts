/**
 * The columns of the tables of the log; `?` at the end: may be null. Both databases have the same ones. A record is a row of
 * `log_rows`: what many records have in common is kept once, in `log_facts` and `log_label_sets`, and what it says beside its
 * columns is in a block with that of others.
 */
export const logColumns = {
  log_rows: {
    number: 'integer',
    id: 'bytes',
    facts: 'integer',
    labels: 'integer?',
    trace: 'bytes',
    trace_key: 'integer',
    micros: 'integer',
    input_tokens: 'integer',
    output_tokens: 'integer',
    cost: 'integer',
    block: 'integer',
    place: 'integer',
  },
  /** Of those whose number is not of the time of their id. */
  log_moved: { id: 'bytes', number: 'integer' },
  log_facts: {
    number: 'integer',
    digest: 'text',
    workspace_id: 'text',
    organisation_id: 'text',
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
    attempts: 'integer',
    retries: 'integer',
    fell_back: 'integer',
    balanced: 'integer',
    cache_status: 'text?',
    source: 'text',
    has_problem: 'integer',
  },
  log_label_sets: { number: 'integer', digest: 'text', workspace_id: 'text', metadata: 'text' },
  log_label_pairs: { pair: 'integer', labels: 'integer' },
  log_blocks: { number: 'integer', data: 'bytes', places: 'integer', remaining: 'integer', bytes: 'integer' },
  log_bodies: { number: 'integer', bodies: 'text' },
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

type LogTableName = keyof typeof logColumns;

type ValueOf<Type> = Type extends 'text'
  ? string
  : Type extends 'integer'
    ? number
    : Type extends 'bytes'
      ? Uint8Array
      : Type extends 'text?'
        ? string | null
        : number | null;

/** A row of a table of the log. */
export type LogRow<Name extends LogTableName> = {
  -readonly [Column in keyof (typeof logColumns)[Name]]: ValueOf<(typeof logColumns)[Name][Column]>;
};

/** The columns that many records have in common. */
export type RecordFacts = Omit<LogRow<'log_facts'>, 'number' | 'digest'>;

/**
 * One request. Its `id` holds its `created_at`, in milliseconds since the epoch. `micros` are microseconds, `cost` billionths
 * of a US dollar, and `metadata` a JSON object of texts. `has_problem` says whether its detail has a `problem`.
 */
export type StoredRecord = RecordFacts &
  Pick<LogRow<'log_rows'>, 'micros' | 'input_tokens' | 'output_tokens' | 'cost'> & {
    id: string;
    created_at: number;
    trace_id: string;
    metadata: string;
  };

/** A record as it is written. `bytes` are those that it takes beside its detail, which is compressed. */
export type RecordRow = StoredRecord & { bytes: number };

/** The members of a record beside its columns, as JSON, and its bodies, sealed as JSON. */
export interface RecordDetail {
  readonly id: string;
  readonly workspace_id: string;
  readonly detail: string;
  readonly bodies: string | null;
}

/** The tables of the log, by name. */
export type LogTables = { [Name in LogTableName]: LogRow<Name> } & {
  /** Views: records as they were written, and their labels. */
  log_records: StoredRecord & Pick<LogRow<'log_rows'>, 'number' | 'block' | 'place'>;
  log_labels: { workspace_id: string; name: string; value: string; id: string };
};
