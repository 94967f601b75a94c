import { sql } from 'kysely';
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

/** Adds policies, the ledger, the audit log, files and batches. */
export const policiesToBatches: readonly Migration[] = [
  {
    number: 2,
    name: 'tenant-versions',
    up: (db, kind) =>
      createTables(db, kind, {
        tenant_versions: { columns: { tenant: 'text', version: 'integer' }, key: ['tenant'], indexes: [['version']] },
      }),
  },
  {
    number: 3,
    name: 'policies',
    async up(db, kind) {
      await createTables(db, kind, {
        policies: {
          columns: {
            ...{ id: 'text', organisation_id: 'text', workspace_id: 'text', kind: 'text', name: 'text?' },
            ...{ conditions: 'text', group_by: 'text', type: 'text', unit: 'text?', amount: 'integer' },
            ...{ alert_at: 'integer?', periodic_reset: 'text?', reset_days: 'integer?', reset_from: 'integer?' },
            ...{ if_unknown: 'text', status: 'text', created_at: 'integer', updated_at: 'integer' },
          },
          references: { organisation_id: { table: 'organisations' }, workspace_id: { table: 'workspaces' } },
          indexes: [['organisation_id'], ['workspace_id']],
        },
        limit_versions: { columns: { tenant: 'text', version: 'integer' }, key: ['tenant'], indexes: [['version']] },
      });
      const text = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
      for (const table of ['keys', 'workspaces', 'providers'])
        await sql`alter table ${sql.table(table)} add column limits ${text}`.execute(db);
      await sql`alter table integrations add column workspace_limits ${text}`.execute(db);
    },
  },
  /**
   * These tables do not refer to workspaces or keys: usage stays when they are deleted. Rows of sums have as their key a digest
   * of what they are sums of, because texts of clients may be too long for an index.
   */
  {
    number: 4,
    name: 'ledger',
    up: (db, kind) =>
      createTables(db, kind, {
        ledger: {
          columns: {
            ...{
              id: 'text',
              at: 'integer',
              trace: 'text',
              ...place,
              key_id: 'text?',
              config: 'text?',
              prompt: 'text?',
            },
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
  },
  /** Records stay when their subject is deleted. */
  {
    number: 5,
    name: 'audit-log',
    up: (db, kind) =>
      createTables(db, kind, {
        audit_log: {
          columns: {
            ...{
              id: 'text',
              at: 'integer',
              organisation_id: 'text',
              workspace_id: 'text?',
              method: 'text',
              uri: 'text',
            },
            ...{ actor: 'text', resource_type: 'text', action: 'text', status: 'integer', client_ip: 'text?' },
            detail: 'text?',
          },
          indexes: [
            ['organisation_id', 'at'],
            ['workspace_id', 'at'],
          ],
        },
      }),
  },
  /** Adds files. The bytes of deleted workspaces are removed from `blobs` by a sweep. */
  {
    number: 6,
    name: 'files',
    up: (db, kind) =>
      createTables(db, kind, {
        blobs: {
          columns: { id: 'text', tenant: 'text', state: 'text', since: 'integer' },
          indexes: [['state', 'since'], ['tenant']],
        },
        files: {
          columns: {
            ...{ id: 'text', workspace_id: 'text', purpose: 'text', filename: 'text', bytes: 'integer', state: 'text' },
            ...{ blob_id: 'text?', blob_key: 'text?', sha256: 'text?', created_by: 'text?', created_at: 'integer' },
            expires_at: 'integer?',
          },
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
          indexes: [['workspace_id', 'bytes'], ['workspace_id', 'id'], ['state', 'created_at'], ['expires_at']],
        },
      }),
  },
  {
    number: 7,
    name: 'batches',
    async up(db, kind) {
      await createTables(db, kind, {
        jobs: {
          columns: {
            ...{ kind: 'text', id: 'text', workspace_id: 'text', payload: 'text' },
            ...{ due_at: 'integer', fence: 'integer', is_held: 'integer', failures: 'integer', created_at: 'integer' },
          },
          key: ['kind', 'id'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
          indexes: [['kind', 'due_at']],
        },
        batches: {
          columns: {
            ...{ id: 'text', workspace_id: 'text', slug: 'text', endpoint: 'text', completion_window: 'text' },
            ...{
              input_file_id: 'text',
              status: 'text',
              ending: 'text?',
              metadata: 'text?',
              plan: 'text',
              creator: 'text',
            },
            ...{ errors: 'text?', keep_ms: 'integer?', output_file_id: 'text?', error_file_id: 'text?' },
            ...{ total: 'integer', completed: 'integer', failed: 'integer', parts: 'integer', lanes_left: 'integer' },
            ...{ input_tokens: 'integer', cached_tokens: 'integer', output_tokens: 'integer' },
            ...{ reasoning_tokens: 'integer', nano_usd: 'integer', created_at: 'integer', expires_at: 'integer' },
            ...{
              in_progress_at: 'integer?',
              finalizing_at: 'integer?',
              completed_at: 'integer?',
              failed_at: 'integer?',
            },
            ...{ expired_at: 'integer?', cancelling_at: 'integer?', cancelled_at: 'integer?' },
          },
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
          indexes: [
            ['workspace_id', 'slug', 'id'],
            ['workspace_id', 'input_file_id'],
          ],
        },
        batch_parts: {
          columns: {
            ...{ batch_id: 'text', number: 'integer', from_byte: 'integer', to_byte: 'integer' },
            ...{ first_line: 'integer', lines: 'integer', result: 'text?' },
          },
          key: ['batch_id', 'number'],
          references: { batch_id: { table: 'batches', goesWith: true } },
          isClustered: true,
        },
      });
      await sql`insert into feeds (name, version) values ('jobs', 0)`.execute(db);
    },
  },
];
