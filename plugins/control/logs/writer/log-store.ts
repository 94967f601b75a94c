import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import type { SharedPools } from '../../kernel/fairness/shared-pools.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { LogSettings } from '../settings/log-settings.ts';

/**
 * The columns of the log's tables; a `?` at the end marks columns that may be null. Both databases have the same columns. A
 * record is a row of `log_rows`: values that many records share are stored once, in `log_facts` and `log_label_sets`, and the
 * rest is in a block with that of other records.
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
  /** Records whose number does not contain the time of their id. */
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
  /** The numbers of the first and the last record of a block; null if its records are those of an earlier version. */
  log_blocks: {
    number: 'integer',
    data: 'bytes',
    places: 'integer',
    remaining: 'integer',
    bytes: 'integer',
    first_record: 'integer?',
    last_record: 'integer?',
  },
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
  log_splits: {
    workspace_id: 'text',
    hour: 'integer',
    dimension: 'text',
    kind: 'integer',
    value: 'text',
    organisation_id: 'text',
    requests: 'integer',
    errors: 'integer',
    micros: 'integer',
    most_micros: 'integer',
    input_tokens: 'integer',
    cached_tokens: 'integer',
    output_tokens: 'integer',
    cost: 'integer',
    cache_hits: 'integer',
    cache_misses: 'integer',
    rescued: 'integer',
    durations: 'bytes',
    firsts: 'bytes',
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
  log_arms: {
    id: 'text',
    workspace_id: 'text',
    created_at: 'integer',
    config: 'text',
    path: 'text',
    arm: 'text',
    target: 'text',
    provider: 'text',
    model: 'text',
    trace_id: 'text',
    status: 'integer',
    micros: 'integer',
    cost: 'integer?',
    verdict: 'text?',
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

/** The columns that many records share. */
export type RecordFacts = Omit<LogRow<'log_facts'>, 'number' | 'digest'>;

/**
 * One request. Its `id` contains its `created_at`, in milliseconds since the epoch. `micros` are microseconds, `cost` is in
 * billionths of a US dollar, and `metadata` is a JSON object of texts. `has_problem` reports whether its detail has a `problem`.
 */
export type StoredRecord = RecordFacts &
  Pick<LogRow<'log_rows'>, 'micros' | 'input_tokens' | 'output_tokens' | 'cost'> & {
    id: string;
    created_at: number;
    trace_id: string;
    metadata: string;
  };

/**
 * A record as it is written. `bytes` is its size without its detail, which is compressed. The other two members are only in
 * hourly sums: the microseconds to its first byte, null if no target answered, and its tokens from the caches of providers.
 */
export type RecordRow = StoredRecord & { bytes: number; first_micros?: number | null; cached_tokens?: number };

/** The members of a record that are not columns, as JSON, and its bodies, sealed as JSON. */
export interface RecordDetail {
  readonly detail: string;
  readonly bodies: string | null;
}

/** The tables of the log, by name. */
export type LogTables = { [Name in LogTableName]: LogRow<Name> } & {
  /** Views: records as they were written, and their labels. */
  log_records: StoredRecord & Pick<LogRow<'log_rows'>, 'number' | 'block' | 'place'>;
  log_labels: { workspace_id: string; name: string; value: string; id: string };
};

/** The parts that the routes of the log need. */
export interface LogParts {
  /** Throws a `LogError` if the log could not be opened. */
  readonly store: () => LogStore;
  readonly settings: LogSettings;
  /** The names of the labels that have hourly sums. */
  readonly labels: readonly string[];
  readonly sealer: Sealer;
  /** The providers that requests for records can name, also by their aliases. */
  readonly catalogue: Pick<Catalogue, 'providers'>;
  readonly pools: Pick<SharedPools, 'exports' | 'logReads' | 'logStreams'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Writes a list of integers in place of a table, as one parameter of a statement that never changes. */
export const listedIntegers = (kind: LogStore['kind'], values: readonly number[]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(values)}))`
    : sql`(select unnest(cast(${values} as bigint[])))`;

/** Writes a list of texts in the same way. */
export const listedTexts = (kind: LogStore['kind'], values: readonly string[]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(values)}))`
    : sql`(select unnest(cast(${values} as text[])))`;

/** An arbitrary lock number for transactions that change records: "gw" and "lw" as bytes. */
const writingLock = 0x67776c77;

/**
 * Waits until no other transaction changes records. Records and shared values can then be numbered, and values that no record
 * uses can be deleted. A file has one writer anyway.
 */
export const lockForWriting = async (writing: LogWriting, kind: LogStore['kind']): Promise<void> => {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(writingLock)})`.execute(writing);
};

/** A transaction of the log. */
export type LogWriting = Transaction<LogTables>;

/** Finds the largest number in a table; 0 if it is empty. */
export const lastNumber = async (
  writing: LogWriting,
  table: 'log_rows' | 'log_facts' | 'log_label_sets',
): Promise<number> => {
  const row = await writing.selectFrom(table).select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
  return row?.number ?? 0;
};

/** The share of the stored size that a journal may have. */
export const journalShare: number = 1 / 8;

/** The store of records of requests, separate from what the control plane needs to serve. */
export interface LogStore {
  readonly kind: Store['kind'];
  /** For reading. */
  readonly db: Kysely<LogTables>;
  /** Writes in one transaction. Rejects with a `StoreError` if the database cannot be reached, or is full. */
  write<Result>(run: (writing: LogWriting) => Promise<Result>): Promise<Result>;
  /** Runs a job, which a module exports as `job`, in one transaction, like `Store.perform`. */
  readonly perform: Store['perform'];
  /** Returns the size of its records in bytes. */
  size(): Promise<number>;
  /** The size that its journal may have in addition, in bytes; 0 if it has no journal of its own. */
  readonly journalBytes: number;
  /**
   * Returns the size of its files in bytes, including the journal and the space of deleted records; 0 if it has no files of its
   * own.
   */
  fileBytes(): Promise<number>;
  /**
   * Returns a part of the space of deleted records, and the excess of the journal, to the system, unless the database does so
   * itself.
   */
  shrink(): Promise<void>;
  close(): Promise<void>;
}
