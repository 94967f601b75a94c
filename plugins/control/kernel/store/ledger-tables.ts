import type { Flag, JsonText, Millis } from './store-tables.ts';

/** The amounts that were used. The tokens of `input` and `output` include all other tokens. */
interface UsedColumns {
  /** Requests of clients. Each is counted with its first attempt that was sent. */
  requests: number;
  attempts: number;
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** Of input and output. */
  audio_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

interface PlaceColumns {
  organisation_id: string;
  workspace_id: string;
}

/** Sums, and what they are sums of. */
interface SummedColumns extends PlaceColumns, UsedColumns {
  /** The following four are empty if there is none. */
  key_id: string;
  provider: string;
  model: string;
  config: string;
  nano_usd: number;
  /** Attempts that used something whose price is unknown. */
  unpriced: number;
  /** Attempts by the kind of their usage. */
  reported: number;
  partial: number;
  estimated: number;
  none: number;
}

export interface CounterColumns {
  policy: string;
  bucket: string;
  unit: 'requests' | 'tokens' | 'nanoUsd';
  /** When the window began; 0 for counters that never start again. */
  window_at: Millis;
  amount: number;
}

/** The usage of one attempt, or of several that were merged while the store was unavailable, as read. */
export interface LedgerRow extends PlaceColumns, UsedColumns {
  id: string;
  at: Millis;
  trace: string;
  key_id: string | null;
  config: string | null;
  prompt: string | null;
  provider: string;
  slug: string | null;
  /** The requested model, or if the request names none, the model that answered. */
  model: string;
  answered_model: string;
  kind: 'reported' | 'partial' | 'estimated' | 'none';
  tier: string | null;
  /** Absent if the price is unknown. */
  nano_usd: number | null;
  prices: string | null;
  metadata: JsonText;
  /** The row with the estimate. This row then contains the difference between the estimate and the actual usage. */
  corrects: string | null;
}

/** A charge of a posting, as read. */
export interface LedgerChargeRow extends CounterColumns {
  posting: string;
  /** Its place among the charges of the posting. */
  number: number;
  at: Millis;
}

/**
 * A posting as stored: the usage of an attempt, or only a change of counters. Names are stored once, in another table. An absent
 * count is 0.
 */
export interface LedgerPostingRow {
  /** In the order of writes. */
  number: number;
  /** The id of the posting, in its short form. */
  id: string;
  at: Millis;
  trace: string | null;
  /** The number of the name with the facts of the attempt; absent if only counters change. */
  facts: number | null;
  requests: number | null;
  attempts: number | null;
  input_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  audio_tokens: number | null;
  output_tokens: number | null;
  reasoning_tokens: number | null;
  nano_usd: number | null;
  /** A list of `[number of the counter's name, amount, window]`; absent if there are no charges. */
  charges: JsonText | null;
  corrects: string | null;
}

/** A list of texts that many postings have in common. */
export interface LedgerNameRow {
  number: number;
  /** The digest of `name`, because an index does not accept texts of any length. */
  digest: string;
  /** The last day of a posting that uses it. */
  day: Millis;
  name: JsonText;
}

/** The sum of the charges of one counter in one window. */
export interface CounterRow extends CounterColumns {
  /** A digest of the policy, the bucket and the unit. */
  counter: string;
}

export interface UsageHourRow extends SummedColumns {
  /** A digest of the columns that are not sums. */
  id: string;
  hour: Millis;
}

export interface UsageLabelRow extends SummedColumns {
  /** A digest of the columns that are not sums. */
  id: string;
  day: Millis;
  name: string;
  /** Empty for values that share a row. */
  value: string;
  /** Whether it stands for values that are too long, or that exceed the number of different values per day. */
  is_other: Flag;
}

/** The tables of the ledger, and of the sums of usage. */
export interface LedgerTables {
  ledger_postings: LedgerPostingRow;
  ledger_names: LedgerNameRow;
  /** Attempts and charges that an earlier version wrote. */
  ledger_before: LedgerRow;
  ledger_charges_before: LedgerChargeRow;
  counters: CounterRow;
  usage_hours: UsageHourRow;
  usage_labels: UsageLabelRow;
  /** The values of labels on each day, by a digest of both. */
  label_values: { id: string; day: Millis };
  /** The number of different values of a label on a day. */
  label_counts: { id: string; day: Millis; different: number };
  /** The views of postings, including those of an earlier version. */
  ledger: LedgerRow;
  ledger_charges: LedgerChargeRow;
}
