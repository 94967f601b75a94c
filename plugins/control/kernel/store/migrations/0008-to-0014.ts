import { createTables, type Migration } from './migrate.ts';

/** Adds what providers have made for workspaces, responses, batches of providers, and named items. */
export const remoteIdsToNamedItems: readonly Migration[] = [
  {
    number: 8,
    name: 'remote-ids',
    up: (db, kind) =>
      createTables(db, kind, {
        remote_ids: {
          columns: {
            ...{ workspace_id: 'text', kind: 'text', remote_id: 'text', slug: 'text', uses: 'text?' },
            ...{ created_by: 'text?', created_at: 'integer' },
          },
          key: ['workspace_id', 'kind', 'remote_id'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
          indexes: [['workspace_id', 'kind', 'slug', 'created_at']],
        },
      }),
  },
  {
    number: 9,
    name: 'responses',
    up: (db, kind) =>
      createTables(db, kind, {
        responses: {
          columns: {
            ...{ workspace_id: 'text', id: 'text', previous_id: 'text?', slug: 'text?', scope: 'text?' },
            ...{ is_native: 'integer', status: 'text', bytes: 'integer', response: 'text', input: 'text' },
            request: 'text?',
            ...{ created_by: 'text?', created_at: 'integer', expires_at: 'integer' },
          },
          key: ['workspace_id', 'id'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
          indexes: [['id'], ['expires_at']],
        },
        response_events: {
          columns: {
            workspace_id: 'text',
            response_id: 'text',
            number: 'integer',
            following: 'integer',
            events: 'text',
          },
          key: ['workspace_id', 'response_id', 'number'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
        },
      }),
  },
  /** Adds the batches that providers run in their own formats, with the data that these formats do not include. */
  {
    number: 10,
    name: 'provider-batches',
    up: (db, kind) =>
      createTables(db, kind, {
        provider_batches: {
          columns: {
            ...{ workspace_id: 'text', remote_id: 'text', input_file_id: 'text', endpoint: 'text' },
            ...{ completion_window: 'text', metadata: 'text?', is_collected: 'integer' },
            ...{ output_file_id: 'text?', error_file_id: 'text?', created_at: 'integer' },
          },
          key: ['workspace_id', 'remote_id'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
        },
      }),
  },
  /** Adds the owners of the batches that providers run, and their usage. */
  {
    number: 11,
    name: 'watched-batches',
    up: (db, kind) =>
      createTables(db, kind, {
        watched_batches: {
          columns: {
            ...{ workspace_id: 'text', slug: 'text', remote_id: 'text', account: 'text', endpoint: 'text' },
            ...{ model: 'text?', organisation_id: 'text', key_id: 'text?', labels: 'text', caller: 'text' },
            ...{ state: 'text', input_tokens: 'integer', cached_tokens: 'integer', output_tokens: 'integer' },
            ...{ reasoning_tokens: 'integer', nano_usd: 'integer', created_at: 'integer' },
          },
          key: ['workspace_id', 'slug', 'remote_id'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
        },
      }),
  },
  /** Ids of providers are looked up without their owner. */
  {
    number: 12,
    name: 'named-ids',
    up: (db) => db.schema.createIndex('remote_ids_by_remote_id').on('remote_ids').column('remote_id').execute(),
  },
  /** The jobs of each tenant are looked up separately, however many jobs others have. */
  {
    number: 13,
    name: 'fair-jobs',
    up: (db) =>
      db.schema
        .createIndex('jobs_by_kind_workspace_id_due_at')
        .on('jobs')
        .columns(['kind', 'workspace_id', 'due_at'])
        .execute(),
  },
  {
    number: 14,
    name: 'named-items',
    up: (db, kind) =>
      createTables(db, kind, {
        named_items: {
          columns: {
            ...{ workspace_id: 'text', owner: 'text', id: 'text', created_at: 'integer', bytes: 'integer' },
            item: 'text',
          },
          key: ['workspace_id', 'id', 'owner'],
          references: { workspace_id: { table: 'workspaces', goesWith: true } },
          // The first index has everything needed to read the sizes of workspaces, and the oldest response of each.
          indexes: [['workspace_id', 'created_at', 'bytes'], ['created_at']],
        },
      }),
  },
];
