import type { ColumnType } from '../store/migrations/create-tables.ts';
import type { LedgerChargeRow, LedgerRow } from '../store/tables.ts';

type Columns<Row> = { readonly [Column in keyof Row]-?: ColumnType };

const text = 'text';
const integer = 'integer';

export const ledgerColumns: Columns<LedgerRow> = {
  ...{
    id: text,
    at: integer,
    trace: text,
    organisation_id: text,
    workspace_id: text,
    key_id: 'text?',
    config: 'text?',
  },
  ...{ prompt: 'text?', provider: text, slug: 'text?', model: text, answered_model: text, kind: text, tier: 'text?' },
  ...{ requests: integer, attempts: integer, input_tokens: integer, cache_read_tokens: integer },
  ...{ cache_write_tokens: integer, audio_tokens: integer, output_tokens: integer, reasoning_tokens: integer },
  ...{ nano_usd: 'integer?', prices: 'text?', metadata: text, corrects: 'text?' },
};

export const chargeColumns: Columns<LedgerChargeRow> = {
  ...{ posting: text, number: integer, at: integer, policy: text, bucket: text, unit: text, window_at: integer },
  amount: integer,
};
