import { sql } from 'kysely';
import { createTables, type Migration, type TableShapes } from './migrate.ts';

const changing = { created_at: 'integer', updated_at: 'integer' } as const;
const made = { created_by: 'text?', created_at: 'integer' } as const;
const named = { workspace_id: 'text', slug: 'text', name: 'text' } as const;
const organisation = { organisation_id: { table: 'organisations' } } as const;
const workspace = { workspace_id: { table: 'workspaces' } } as const;
const toVersion = (table: string) => ({ table, goesWith: true }) as const;

const shapes: TableShapes = {
  organisations: { columns: { id: 'text', name: 'text', settings: 'text', ...changing } },
  workspaces: {
    columns: { id: 'text', organisation_id: 'text', slug: 'text', name: 'text', settings: 'text', ...changing },
    unique: [['organisation_id', 'slug']],
    references: organisation,
  },
  keys: {
    columns: {
      ...{ id: 'text', organisation_id: 'text', workspace_id: 'text?', kind: 'text', user_id: 'text?', name: 'text' },
      ...{ hash: 'text', mask: 'text', scopes: 'text', defaults: 'text', status: 'text', expires_at: 'integer?' },
      ...{ previous_hash: 'text?', previous_until: 'integer?', rotation: 'text?', created_by: 'text?', ...changing },
    },
    unique: [['hash'], ['previous_hash']],
    references: { ...organisation, ...workspace },
    indexes: [['organisation_id'], ['workspace_id'], ['updated_at', 'id']],
  },
  integrations: {
    columns: {
      ...{ id: 'text', organisation_id: 'text', slug: 'text', name: 'text', provider: 'text', settings: 'text' },
      ...{ credential: 'text?', origins: 'text', models: 'text', allow_all_models: 'integer', workspaces: 'text?' },
      ...changing,
    },
    unique: [['organisation_id', 'slug']],
    references: organisation,
  },
  providers: {
    columns: {
      ...{ id: 'text', ...named, kind: 'text', integration_id: 'text?', provider: 'text', settings: 'text' },
      ...{ credential: 'text?', origins: 'text', note: 'text?', expires_at: 'integer?', status: 'text', ...changing },
    },
    unique: [['workspace_id', 'slug']],
    references: { ...workspace, integration_id: { table: 'integrations' } },
    indexes: [['integration_id']],
  },
  configs: {
    columns: { id: 'text', ...named, is_default: 'integer', version_id: 'text', ...changing },
    unique: [['workspace_id', 'slug']],
    references: workspace,
  },
  config_versions: {
    columns: {
      ...{ id: 'text', config_id: 'text', workspace_id: 'text', number: 'integer', text: 'text', sealed: 'text' },
      ...made,
    },
    unique: [['config_id', 'number']],
    references: { config_id: toVersion('configs'), ...workspace },
    indexes: [['workspace_id']],
  },
  guardrails: {
    columns: {
      ...{ id: 'text', organisation_id: 'text', workspace_id: 'text?', slug: 'text', name: 'text' },
      ...{ checks: 'text', actions: 'text', sealed: 'text', ...changing },
    },
    unique: [['workspace_id', 'slug']],
    references: { ...organisation, ...workspace },
    indexes: [['organisation_id']],
  },
  collections: {
    columns: { id: 'text', workspace_id: 'text', name: 'text', ...changing },
    references: workspace,
    indexes: [['workspace_id']],
  },
  prompts: {
    columns: { id: 'text', ...named, collection_id: 'text?', published: 'integer', ...changing },
    unique: [['workspace_id', 'slug']],
    references: { ...workspace, collection_id: { table: 'collections' } },
    indexes: [['collection_id']],
  },
  prompt_versions: {
    columns: {
      ...{ id: 'text', prompt_id: 'text', workspace_id: 'text', number: 'integer', content: 'text' },
      ...{ description: 'text?', ...made },
    },
    unique: [['prompt_id', 'number']],
    references: { prompt_id: toVersion('prompts'), ...workspace },
    indexes: [['workspace_id']],
  },
  labels: {
    columns: { id: 'text', workspace_id: 'text', name: 'text', description: 'text?', colour: 'text?', ...changing },
    references: workspace,
    indexes: [['workspace_id']],
  },
  prompt_labels: {
    columns: { prompt_id: 'text', label_id: 'text', workspace_id: 'text', version: 'integer' },
    key: ['prompt_id', 'label_id'],
    references: { prompt_id: toVersion('prompts'), label_id: toVersion('labels'), ...workspace },
    indexes: [['label_id'], ['workspace_id']],
  },
  partials: {
    columns: { id: 'text', ...named, published: 'integer', ...changing },
    unique: [['workspace_id', 'slug']],
    references: workspace,
  },
  partial_versions: {
    columns: {
      ...{ id: 'text', partial_id: 'text', workspace_id: 'text', number: 'integer', text: 'text' },
      ...{ description: 'text?', ...made },
    },
    unique: [['partial_id', 'number']],
    references: { partial_id: toVersion('partials'), ...workspace },
    indexes: [['workspace_id']],
  },
  idempotency: {
    columns: {
      ...{ workspace_id: 'text', route: 'text', key: 'text', body_hash: 'text', status: 'integer', reply: 'text' },
      created_at: 'integer',
    },
    key: ['workspace_id', 'route', 'key'],
    indexes: [['created_at']],
  },
  feeds: { columns: { name: 'text', version: 'integer' }, key: ['name'] },
  data_keys: {
    columns: { id: 'text', tenant: 'text', wrapped: 'text', created_at: 'integer', retired_at: 'integer?' },
    indexes: [['tenant']],
  },
  canary: { columns: { id: 'text', wrapped: 'text' } },
  settings: { columns: { name: 'text', value: 'text' }, key: ['name'] },
};

export const savedThings: Migration = {
  number: 1,
  name: 'saved-things',
  async up(db, kind) {
    await createTables(db, kind, shapes);
    // Guardrails of an organisation have no workspace, and null values are not equal.
    await sql`create unique index guardrails_of_organisations on guardrails (organisation_id, slug) where workspace_id is null`.execute(
      db,
    );
    await sql`insert into feeds (name, version) values ('keys', 0), ('plans', 0), ('policies', 0)`.execute(db);
  },
};
