import type { ConfigTables } from './config-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { Flag, JsonText, Millis, StoreTables } from './store-tables.ts';

export type * from './config-tables.ts';
export type * from './ledger-tables.ts';
export type * from './store-tables.ts';

/** Work that is done outside of requests. */
export interface JobRow {
  kind: string;
  id: string;
  workspace_id: string;
  payload: JsonText;
  /** When the job may run; while a process runs it, when the lease ends. */
  due_at: Millis;
  /** Incremented whenever a process takes the job or releases it. Work that began under another number cannot be committed. */
  fence: number;
  /** Whether a process is running it, or was when that process ended. */
  is_held: Flag;
  /** How many times in a row it has failed. */
  failures: number;
  created_at: Millis;
}

/** The usage of a batch's lines. */
export interface UsedColumns {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  nano_usd: number;
}

/** A batch that the gateway runs itself. */
export interface BatchRow extends UsedColumns {
  id: string;
  workspace_id: string;
  /** The virtual key or saved provider that its requests name. */
  slug: string;
  endpoint: string;
  completion_window: '24h' | 'immediate';
  input_file_id: string;
  status: 'validating' | 'failed' | 'in_progress' | 'finalizing' | 'completed' | 'expired' | 'cancelling' | 'cancelled';
  /** Why it ends before all lines have run. */
  ending: 'cancelled' | 'expired' | 'failed' | null;
  /** Sealed. */
  metadata: JsonText | null;
  /** How its lines are sent. */
  plan: JsonText;
  /** The caller that created it: a key's id, or the claims of a token. */
  creator: JsonText;
  errors: JsonText | null;
  /** How long its files are kept, in milliseconds; indefinitely if absent. */
  keep_ms: number | null;
  output_file_id: string | null;
  error_file_id: string | null;
  total: number;
  completed: number;
  failed: number;
  /** The number of parts that its lines are divided into. */
  parts: number;
  /** The number of jobs that still run parts. */
  lanes_left: number;
  created_at: Millis;
  expires_at: Millis;
  in_progress_at: Millis | null;
  finalizing_at: Millis | null;
  completed_at: Millis | null;
  failed_at: Millis | null;
  expired_at: Millis | null;
  cancelling_at: Millis | null;
  cancelled_at: Millis | null;
}

/** Consecutive lines of a batch. */
export interface BatchPartRow {
  batch_id: string;
  /** Its zero-based index in the batch. */
  number: number;
  /** Where the lines are in the input file; `to_byte` is the offset after the last one. */
  from_byte: number;
  to_byte: number;
  /** The number of the first line, from 1. */
  first_line: number;
  lines: number;
  /** Where their results are; absent until they have run. */
  result: JsonText | null;
}

/** The owner of a batch that a provider runs, and its usage. */
export interface WatchedBatchRow extends UsedColumns {
  workspace_id: string;
  /** The virtual key or saved provider whose account runs it. */
  slug: string;
  remote_id: string;
  /** The name of the account in the header x-gw-virtual-key. */
  account: string;
  endpoint: string;
  /** The model that all of its lines request; null if unknown. */
  model: string | null;
  organisation_id: string;
  key_id: string | null;
  /** The labels of the request that created it. */
  labels: JsonText;
  /** The caller on whose behalf the provider is queried: a key's id, or the claims of a token. */
  caller: JsonText;
  /** `given-up`: its end could not be queried any longer. */
  state: 'watched' | 'charged' | 'given-up';
  created_at: Millis;
}

export interface ProviderBatchRow {
  workspace_id: string;
  /** The slug of the account; empty if the process that wrote it is older than the column. */
  slug: string;
  remote_id: string;
  input_file_id: string;
  endpoint: string;
  completion_window: string;
  /** Sealed. */
  metadata: JsonText | null;
  /** Whether its results are in files of the gateway. */
  is_collected: 0 | 1;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Millis;
}

/**
 * The tables of the store, by name. They are the same in both databases. Tables that only the queries of a described resource
 * name are not listed; their columns are those of the description.
 */
export interface Tables extends ConfigTables, StoreTables, LedgerTables {
  provider_batches: ProviderBatchRow;
  watched_batches: WatchedBatchRow;
  jobs: JobRow;
  batches: BatchRow;
  batch_parts: BatchPartRow;
}

/** A feed that processes follow. Each has a version, which every change of it increments. */
export type FollowedFeed = 'keys' | 'plans' | 'policies';

/** A feed that notifies processes. When `jobs` notifies them, they query the jobs that are due rather than a version. */
export type Feed = FollowedFeed | 'jobs';
