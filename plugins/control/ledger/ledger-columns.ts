import type { ColumnType } from '../store/migrations/create-tables.ts';
import type { LedgerNameRow, LedgerPostingRow } from '../store/tables.ts';

type Columns<Row> = { readonly [Column in keyof Row]-?: ColumnType };

const text = 'text';
const integer = 'integer';

export const postingColumns: Columns<Omit<LedgerPostingRow, 'number'>> = {
  ...{ id: text, at: integer, trace: 'text?', facts: 'integer?' },
  ...{ requests: 'integer?', attempts: 'integer?', input_tokens: 'integer?', cache_read_tokens: 'integer?' },
  ...{ cache_write_tokens: 'integer?', audio_tokens: 'integer?', output_tokens: 'integer?' },
  ...{ reasoning_tokens: 'integer?', nano_usd: 'integer?', charges: 'text?', corrects: 'text?' },
};

export const nameColumns: Columns<Omit<LedgerNameRow, 'number'>> = { digest: text, day: integer, name: text };
