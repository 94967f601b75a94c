import { createTables, type Migration } from './migrate.ts';

const integer = 'integer' as const;
const used = {
  ...{ requests: integer, attempts: integer, input_tokens: integer, cache_read_tokens: integer },
  ...{ cache_write_tokens: integer, audio_tokens: integer, output_tokens: integer, reasoning_tokens: integer },
};

const summed = {
  ...used,
  ...{ nano_usd: integer, unpriced: integer },
  ...{ reported: integer, partial: integer, estimated: integer, none: integer },
};

const place = { organisation_id: 'text', workspace_id: 'text' } as const;
const dimensions = { key_id: 'text', provider: 'text', model: 'text', config: 'text' } as const;
const counted = { policy: 'text', bucket: 'text', unit: 'text', window_at: 'integer', amount: 'integer' } as const;

/**
 * None of them refers to workspaces or keys: what was used stays when these are gone. Rows of sums have as their key a digest of
 * what they are the sums of, since texts of clients may be too long for an index.
 */
export const ledger: Migration = {
  number: 4,
  name: 'ledger',
  up: (db, kind) =>
    createTables(db, kind, {
      ledger: {
        columns: {
          ...{ id: 'text', at: 'integer', trace: 'text', ...place, key_id: 'text?', config: 'text?', prompt: 'text?' },
          ...{ provider: 'text', slug: 'text?', model: 'text', answered_model: 'text', kind: 'text', tier: 'text?' },
          ...{ ...used, nano_usd: 'integer?', prices: 'text?', metadata: 'text', corrects: 'text?' },
        },
        indexes: [['at']],
      },
      ledger_charges: {
        columns: { posting: 'text', number: 'integer', at: 'integer', ...counted },
        key: ['posting', 'number'],
        indexes: [['at']],
      },
      counters: { columns: { counter: 'text', ...counted }, key: ['counter', 'window_at'] },
      usage_hours: {
        columns: { id: 'text', hour: 'integer', ...place, ...dimensions, ...summed },
        indexes: [
          ['workspace_id', 'hour'],
          ['organisation_id', 'hour'],
        ],
      },
      usage_labels: {
        columns: {
          ...{ id: 'text', day: 'integer', ...place, name: 'text', value: 'text', is_other: 'integer' },
          ...{ ...dimensions, ...summed },
        },
        indexes: [
          ['workspace_id', 'name', 'day'],
          ['organisation_id', 'name', 'day'],
        ],
      },
      label_values: { columns: { id: 'text', day: 'integer' }, indexes: [['day']] },
      label_counts: { columns: { id: 'text', day: 'integer', different: 'integer' }, indexes: [['day']] },
    }),
};
