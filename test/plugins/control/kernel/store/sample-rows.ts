import type { Resource } from '../../../../../plugins/control/kernel/resource/define-resource.ts';
import type { Member } from '../../../../../plugins/control/kernel/resource/member.ts';
import type { Tables } from '../../../../../plugins/control/kernel/store/tables.ts';
import { resources } from '../../../../../plugins/control/resources.ts';

const text = 'Grüße, 世界 \u{1f600} \u202e \'"\\%_; --\n\t';
const json = JSON.stringify({ [text]: [text, null, Number.MAX_SAFE_INTEGER] });
const largest = Number.MAX_SAFE_INTEGER;
const changing = { created_at: largest, updated_at: -largest };
const made = { created_by: null, created_at: 1_700_000_000_000 };
const organisation = { organisation_id: 'sample-organisation' };
const workspace = { workspace_id: 'sample-workspace' };
const used = {
  ...{ requests: 1, attempts: largest, input_tokens: 3, cache_read_tokens: 4, cache_write_tokens: 5 },
  ...{ audio_tokens: 6, output_tokens: 7, reasoning_tokens: -largest },
};
const summed = { ...used, nano_usd: largest, unpriced: 0, reported: 1, partial: 2, estimated: 3, none: 4 };
const dimensions = { key_id: 'key', provider: 'openai', model: text, config: text };
const counted = { policy: 'policy', bucket: text, unit: 'nanoUsd', window_at: 0, amount: largest } as const;
const named = { ...workspace, slug: 'sample', name: text };

const toColumn = ({ presence, schema: { type } }: Member): string | number | null => {
  if (presence === 'optional') return null;
  if (type === 'string') return text;
  return type === 'integer' ? largest : json;
};

/** Returns a row with the members of a resource. */
const toSampleRow = ({ noun, owner, members }: Resource): object => ({
  id: noun,
  ...(owner === 'workspace' ? workspace : organisation),
  ...(owner === 'either' ? { workspace_id: null } : {}),
  ...Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toColumn(member)])),
  ...changing,
});

/**
 * A row with every column for each table, after the rows that it refers to. The rows of resources whose table is not in
 * `Tables` are derived from their descriptions.
 */
export const sampleRows: { readonly [Name in Exclude<keyof Tables, 'ledger' | 'ledger_charges'>]: Tables[Name] } = {
  organisations: { id: 'sample-organisation', name: text, settings: json, ...changing },
  ...Object.fromEntries(resources.map((resource) => [resource.table, toSampleRow(resource)])),
  workspaces: {
    id: 'sample-workspace',
    ...organisation,
    slug: 'sample',
    name: text,
    settings: json,
    limits: json,
    ...changing,
  },
  keys: {
    ...{ id: 'key', ...organisation, ...workspace, kind: 'workspace-user', user_id: text, name: text },
    ...{ hash: 'ab', mask: 'gw-…', scopes: json, defaults: json, status: 'active', expires_at: null },
    ...{ previous_hash: 'cd', previous_until: 0, rotation: json, created_by: null, limits: json, ...changing },
  },
  sessions: {
    ...{ id: 'session', key_id: 'key', key_hash: 'ab', created_at: 1, expires_at: largest },
    ...{ ended_at: null, updated_at: 1 },
  },
  integrations: {
    ...{ id: 'integration', ...organisation, slug: 'sample', name: text, provider: 'openai', settings: json },
    ...{
      credential: null,
      origins: json,
      tls: json,
      models: json,
      allow_all_models: 1,
      workspaces: null,
      workspace_limits: json,
      ...changing,
    },
  },
  providers: {
    ...{ id: 'provider', ...named, kind: 'virtual-key', integration_id: 'integration', provider: 'openai' },
    ...{ settings: json, credential: json, origins: json, note: text, expires_at: largest, status: 'active' },
    ...{ tls: null, limits: json, ...changing },
  },
  configs: { id: 'config', ...named, is_default: 0, version_id: 'config-version', ...changing },
  config_versions: {
    ...{ id: 'config-version', config_id: 'config', ...workspace, number: 1, text: json, sealed: json },
    ...made,
  },
  guardrails: {
    ...{ id: 'guardrail', ...organisation, workspace_id: null, slug: 'sample', name: text, checks: json },
    ...{ actions: json, sealed: json, ...changing },
  },
  prompts: { id: 'prompt', ...named, collection_id: 'collection', published: 1, ...changing },
  prompt_versions: {
    ...{ id: 'prompt-version', prompt_id: 'prompt', ...workspace, number: 1, content: json, description: text },
    ...made,
  },
  labels: { id: 'label', ...workspace, name: text, description: null, colour: '#fff', ...changing },
  prompt_labels: { prompt_id: 'prompt', label_id: 'label', ...workspace, version: 1 },
  virtual_models: { id: 'virtual-model', ...workspace, name: text, target: text, ...changing },
  applies: { id: 'apply', ...organisation, workspace_id: null, slug: text, records: json, ...changing },
  partials: { id: 'partial', ...named, published: 1, ...changing },
  partial_versions: {
    ...{ id: 'partial-version', partial_id: 'partial', ...workspace, number: 1, text, description: null },
    ...made,
  },
  policies: {
    ...{ id: 'policy', ...organisation, ...workspace, kind: 'usage', name: null, conditions: json, group_by: json },
    ...{ type: 'cost', unit: null, amount: largest, alert_at: largest, periodic_reset: null, reset_days: 365 },
    ...{ reset_from: 0, if_unknown: 'refuse', status: 'archived', ...changing },
  },
  idempotency: {
    ...{ ...workspace, route: 'POST /configs', key: text, body_hash: 'ab', status: 200, reply: json },
    ...{ headers: json, created_at: 1 },
  },
  feeds: { name: 'sample', version: largest },
  tenant_versions: { tenant: 'sample-workspace', version: largest },
  limit_versions: { tenant: 'sample-workspace', version: largest },
  data_keys: { id: 'data-key', tenant: 'sample-workspace', wrapped: json, created_at: 1, retired_at: null },
  canary: { id: 'canary', wrapped: json },
  settings: { name: 'sample', value: json },
  audit_log: {
    ...{ id: 'audit', at: largest, ...organisation, workspace_id: null, method: 'PUT', uri: '/v1/configs/x' },
    ...{ actor: 'key', resource_type: 'configs', action: 'update', status: 200, client_ip: null, detail: json },
  },
  ledger_postings: {
    ...{ number: 1, id: text, at: largest, trace: text, facts: 1, requests: 1, attempts: null, input_tokens: largest },
    ...{ cache_read_tokens: null, cache_write_tokens: null, audio_tokens: null, output_tokens: 1 },
    ...{ reasoning_tokens: -largest, nano_usd: null, charges: '[[1,2,3]]', corrects: null },
  },
  ledger_names: { number: 1, digest: 'name', day: largest, name: JSON.stringify([text, null, json]) },
  ledger_before: {
    ...{ id: 'posting', at: largest, trace: text, ...organisation, ...workspace, key_id: null, config: null },
    ...{ prompt: null, provider: 'openai', slug: null, model: text, answered_model: text, kind: 'partial', tier: null },
    ...{ ...used, nano_usd: null, prices: null, metadata: json, corrects: null },
  },
  ledger_charges_before: { posting: 'posting', number: 0, at: largest, ...counted },
  counters: { counter: 'counter', ...counted },
  usage_hours: { id: 'hour', hour: largest, ...organisation, ...workspace, ...dimensions, ...summed },
  usage_labels: {
    ...{ id: 'label', day: largest, ...organisation, ...workspace, name: text, value: text, is_other: 1 },
    ...{ ...dimensions, ...summed },
  },
  label_values: { id: 'value', day: largest },
  label_counts: { id: 'name', day: largest, different: 2 },
  blobs: { id: 'blob', tenant: 'sample-workspace', state: 'loose', since: largest },
  files: {
    ...{ id: 'file', ...workspace, purpose: 'batch', filename: text, bytes: largest, state: 'kept', blob_id: 'blob' },
    ...{ blob_key: 'data-key', sha256: 'ab', ...made, expires_at: null },
  },
  provider_batches: {
    ...{ ...workspace, slug: 'anthropic', remote_id: 'batch_1', input_file_id: 'file', endpoint: '/v1/embeddings' },
    ...{ completion_window: '24h', metadata: json, is_collected: 1, output_file_id: 'file', error_file_id: null },
    created_at: largest,
  },
  watched_batches: {
    ...{ ...workspace, slug: 'openai', remote_id: 'batch_1', account: '@openai', endpoint: '/v1/embeddings' },
    ...{ model: null, organisation_id: 'organisation', key_id: 'key', labels: json, caller: json, state: 'charged' },
    ...{ input_tokens: largest, cached_tokens: 1, output_tokens: largest, reasoning_tokens: 0, nano_usd: largest },
    created_at: largest,
  },
  remote_ids: {
    ...{
      ...workspace,
      kind: 'batch',
      remote_id: 'batch_1',
      slug: 'openai',
      uses: null,
      account: null,
      created_by: 'key',
      created_at: 1,
    },
  },
  jobs: {
    ...{
      kind: 'sample',
      id: text,
      ...workspace,
      payload: json,
      due_at: largest,
      fence: largest,
      is_held: 1,
      failures: 0,
    },
    created_at: 1,
  },
  batches: {
    ...{ id: 'gw-batch-1', ...workspace, slug: 'sample', endpoint: '/v1/embeddings', completion_window: '24h' },
    ...{ input_file_id: 'gw-file-1', status: 'cancelling', ending: 'cancelled', metadata: json, plan: json },
    ...{ creator: json, errors: json, keep_ms: null, output_file_id: null, error_file_id: 'gw-file-2' },
    ...{ total: largest, completed: 1, failed: 2, parts: 3, lanes_left: 4, input_tokens: 5, cached_tokens: 6 },
    ...{ output_tokens: 7, reasoning_tokens: 8, nano_usd: largest, created_at: 1, expires_at: largest },
    ...{ in_progress_at: 1, finalizing_at: null, completed_at: null, failed_at: null, expired_at: null },
    ...{ cancelling_at: largest, cancelled_at: null },
  },
  batch_parts: {
    ...{ batch_id: 'gw-batch-1', number: 0, from_byte: 0, to_byte: largest, first_line: 1, lines: 20, result: json },
  },
  responses: {
    ...{ ...workspace, id: 'gw-resp-1', previous_id: null, slug: 'openai', scope: text, account: null, is_native: 1 },
    ...{ status: 'completed', bytes: largest, response: json, input: json, request: null },
    ...{ created_by: null, created_at: 1, expires_at: largest },
  },
  response_events: { ...workspace, response_id: 'gw-resp-1', number: 0, following: largest, events: json },
  named_items: { ...workspace, owner: 'ab', id: 'msg_1_0', created_at: 1, bytes: largest, item: json },
};
