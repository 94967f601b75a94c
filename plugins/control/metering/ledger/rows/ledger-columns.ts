import type { ColumnType } from '../../../kernel/store/migrations/create-tables.ts';
import type {
  CounterRow,
  LedgerNameRow,
  LedgerPostingRow,
  UsageHourRow,
  UsageLabelRow,
} from '../../../kernel/store/tables/tables.ts';

type Columns<Row> = { readonly [Column in keyof Row]-?: ColumnType };

const text = 'text' as const;
const integer = 'integer' as const;

export const postingColumns: Columns<Omit<LedgerPostingRow, 'number'>> = {
  ...{ id: text, at: integer, trace: 'text?', facts: 'integer?' },
  ...{ requests: 'integer?', attempts: 'integer?', input_tokens: 'integer?', cache_read_tokens: 'integer?' },
  ...{ cache_write_tokens: 'integer?', audio_tokens: 'integer?', output_tokens: 'integer?' },
  ...{ reasoning_tokens: 'integer?', nano_usd: 'integer?', charges: 'text?', corrects: 'text?' },
};

export const nameColumns: Columns<Omit<LedgerNameRow, 'number'>> = { digest: text, day: integer, name: text };

export const counterColumns: Columns<CounterRow> = {
  ...{ counter: text, policy: text, bucket: text, unit: text, window_at: integer, amount: integer },
};

/** Whose usage it is. */
const dimensions = {
  ...{ organisation_id: text, workspace_id: text, key_id: text, provider: text, model: text, config: text },
} as const;

const sums = {
  ...{ requests: integer, attempts: integer, input_tokens: integer, cache_read_tokens: integer },
  ...{ cache_write_tokens: integer, audio_tokens: integer, output_tokens: integer, reasoning_tokens: integer },
  ...{ nano_usd: integer, unpriced: integer, reported: integer, partial: integer, estimated: integer, none: integer },
} as const;

export const hourColumns: Columns<UsageHourRow> = { id: text, hour: integer, ...dimensions, ...sums };

export const labelColumns: Columns<UsageLabelRow> = {
  ...{ id: text, day: integer, name: text, value: text, is_other: integer },
  ...{ ...dimensions, ...sums },
};
