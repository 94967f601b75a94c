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
  /** When it may be begun; while somebody does it, when their lease ends. */
  due_at: Millis;
  /** Incremented whenever somebody takes it or lets it go: what was begun under another number is not committed. */
  fence: number;
  /** Whether a process does it, or did when it ended. */
  is_held: Flag;
  /** How often in a row it has failed. */
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
  /** The caller that made it: a key's id, or what a token said. */
  creator: JsonText;
  errors: JsonText | null;
  /** For how long its files are kept, in milliseconds; for good if absent. */
  keep_ms: number | null;
  output_file_id: string | null;
  error_file_id: string | null;
  total: number;
  completed: number;
  failed: number;
  /** How many parts its lines are in. */
  parts: number;
  /** The jobs that still run parts. */
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

/** Some lines of a batch, one after another. */
export interface BatchPartRow {
  batch_id: string;
  /** Its zero-based index in the batch. */
  number: number;
  /** Where they are in the input file; `to_byte` is behind the last one. */
  from_byte: number;
  to_byte: number;
  /** The number of the first one, from 1. */
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
  /** The model that all of its lines ask for; null if that is not known. */
  model: string | null;
  organisation_id: string;
  key_id: string | null;
  /** The labels of the request that made it. */
  labels: JsonText;
  /** As whom the provider is asked: a key's id, or what a token said. */
  caller: JsonText;
  /** Given up: nobody could ask for its end any more. */
  state: 'watched' | 'charged' | 'given-up';
  created_at: Millis;
}

export interface ProviderBatchRow {
  workspace_id: string;
  /** The account's; empty where a process wrote it that is older than the column. */
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
 * The tables of the store, by name. Both databases have the same ones. A table that only the queries of a described resource
 * name is not here: its columns are those of the description.
 */
export interface Tables extends ConfigTables, StoreTables, LedgerTables {
  provider_batches: ProviderBatchRow;
  watched_batches: WatchedBatchRow;
  jobs: JobRow;
  batches: BatchRow;
  batch_parts: BatchPartRow;
}

/** A feed that processes follow: each has a version, which every change of it increments. */
export type FollowedFeed = 'keys' | 'plans' | 'policies';

/** A feed that notifies processes: of jobs they ask for those that are due, and no version. */
export type Feed = FollowedFeed | 'jobs';
