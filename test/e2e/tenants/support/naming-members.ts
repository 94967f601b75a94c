import { settingFields } from '../../../../schema/config/provider-fields.ts';

/**
 * A request with an input that names a record. Paths are below `/v1`, and name records of the sender. `{key}` is the id of a
 * key, `{policy}` that of a usage limit policy, `{log}` that of a served request, and `{file}` in a body that of a file.
 */
export interface NamingRequest {
  readonly request: string;
  readonly body?: object;
}

/** How a member of the input names records: of which paths, and in which requests. The sender's slugs begin with `own`. */
export interface NamingMember {
  readonly stems: readonly string[];
  requests(name: string, own: string): Readonly<Record<string, NamingRequest>>;
}

const key = { name: 'k', scopes: ['completions.write'] };
const string = (content: string): string => JSON.stringify([{ role: 'user', content }]);
const prompt = { name: 'p', string: string('Hello'), parameters: {}, virtual_key: '' };

const makingKeys = (more: object): Readonly<Record<string, NamingRequest>> => ({
  create_key: { request: 'POST /api-keys', body: { ...key, ...more } },
  create_organisation_key: { request: 'POST /api-keys/organisation/service', body: { ...key, ...more } },
  create_workspace_key: { request: 'POST /api-keys/workspace/service', body: { ...key, ...more } },
  create_user_key: { request: 'POST /api-keys/workspace/user', body: { ...key, user_id: 'u', ...more } },
});

const makingPolicies = (more: object): Readonly<Record<string, NamingRequest>> => {
  const limited = { conditions: [{ key: 'model', value: 'm' }], group_by: [{ key: 'api_key' }], ...more };
  return {
    create_usage_policy: {
      request: 'POST /policies/usage-limits',
      body: { ...limited, type: 'tokens', credit_limit: 1_000_000 },
    },
    create_rate_policy: {
      request: 'POST /policies/rate-limits',
      body: { ...limited, type: 'requests', unit: 'rpd', value: 1_000_000 },
    },
  };
};

const conditionalPolicies = (condition: object): Readonly<Record<string, NamingRequest>> => ({
  ...makingPolicies({ conditions: [condition] }),
  update_usage_policy: { request: 'PUT /policies/usage-limits/{policy}', body: { conditions: [condition] } },
});

const configs = (config: object, own: string): Readonly<Record<string, NamingRequest>> => ({
  create_config: { request: 'POST /configs', body: { name: 'c', config } },
  'create_config, dry': { request: 'POST /configs?dry_run=true', body: { name: 'c', config } },
  update_config: { request: `PUT /configs/${own}-config?dry_run=true`, body: { config } },
  replay_log: { request: 'POST /logs/{log}/replay', body: { config } },
});

const everyConfig = (name: string, own: string): Readonly<Record<string, NamingRequest>> =>
  Object.fromEntries(
    Object.entries({
      provider: { provider: `@${name}` },
      model: { override_params: { model: `@${name}/m` } },
      'virtual key': { virtual_key: name },
      guardrail: { provider: 'echo', input_guardrails: [name] },
      'output guardrail': { provider: 'echo', output_guardrails: [name] },
      'prompt id': { prompt_id: name },
      target: { strategy: { mode: 'fallback' }, targets: [{ provider: 'echo' }, { virtual_key: name }] },
    }).flatMap(([what, config]) =>
      Object.entries(configs(config, own)).map(([operation, each]) => [`${operation}: ${what}`, each]),
    ),
  );

const prompts = (more: object, own: string): Readonly<Record<string, NamingRequest>> => ({
  create_prompt: { request: 'POST /prompts', body: { ...prompt, virtual_key: `${own}-virtual-key`, ...more } },
  update_prompt: { request: `PUT /prompts/${own}-prompt`, body: { ...more, patch: true } },
});

const running = (more: object, own: string): Readonly<Record<string, NamingRequest>> => ({
  render_prompt: { request: `POST /prompts/${own}-prompt/render`, body: { variables: {}, ...more } },
  complete_prompt: { request: `POST /prompts/${own}-prompt/completions`, body: { variables: {}, ...more } },
});

const guardedBy = (settings: object, own: string): Readonly<Record<string, NamingRequest>> => ({
  update_organisation: { request: 'PUT /organisation', body: { settings } },
  create_workspace: { request: 'POST /workspaces', body: { name: 'w', settings } },
  update_workspace: { request: `PUT /workspaces/${own}`, body: { settings } },
});

const batches = (more: object): Readonly<Record<string, NamingRequest>> => ({
  create_batch: {
    request: 'POST /batches',
    body: {
      ...{ input_file_id: '{file}', endpoint: '/v1/chat/completions', completion_window: 'immediate' },
      ...more,
    },
  },
});

const tuning = (more: object): { readonly create_fine_tuning_job: NamingRequest } => ({
  create_fine_tuning_job: {
    request: 'POST /fine_tuning/jobs',
    body: { model: 'm', training_file: '{file}', suffix: 's', method: { type: 'supervised' }, ...more },
  },
});

/** The members that name records, as `described-routes.ts` writes them. */
export const namingMembers: Readonly<Record<string, NamingMember>> = {
  'query:workspace_id': {
    stems: ['/workspaces/{workspace}'],
    requests: (name) => ({
      list_keys: { request: `GET /api-keys?workspace_id=${name}` },
      list_usage_policies: { request: `GET /policies/usage-limits?workspace_id=${name}` },
      list_rate_policies: { request: `GET /policies/rate-limits?workspace_id=${name}` },
      get_usage: { request: `GET /usage?workspace_id=${name}` },
    }),
  },
  'query:ids': {
    stems: ['/api-keys/{id}'],
    requests: (name) => ({ list_keys: { request: `GET /api-keys?ids=${name}` } }),
  },
  'query:collection_id': {
    stems: ['/collections/{id}'],
    requests: (name) => ({ list_prompts: { request: `GET /prompts?collection_id=${name}` } }),
  },
  'body/workspace_id': {
    stems: ['/workspaces/{workspace}'],
    requests: (name) => ({
      ...makingKeys({ workspace_id: name }),
      ...makingPolicies({ workspace_id: name }),
      create_apply: { request: 'POST /applies', body: { workspace_id: name } },
      create_config: {
        request: 'POST /configs',
        body: { name: 'c', config: { provider: 'echo' }, workspace_id: name },
      },
      create_guardrail: {
        request: 'POST /guardrails',
        body: {
          name: 'g',
          checks: [{ id: 'contains', parameters: { words: ['w'], operator: 'none' } }],
          actions: {},
          workspace_id: name,
        },
      },
    }),
  },
  'body/organisation_id': {
    stems: ['organisation'],
    requests: (name) => ({ ...makingKeys({ organisation_id: name }), ...makingPolicies({ organisation_id: name }) }),
  },
  'body/workspaces': {
    stems: ['/workspaces/{workspace}'],
    requests: (name, own) => ({
      create_integration: {
        request: 'POST /integrations',
        body: { name: 'i', provider: 'openai', key: 'k', workspaces: [name] },
      },
      update_integration: { request: `PUT /integrations/${own}-integration`, body: { workspaces: [name] } },
    }),
  },
  'body/workspace_limits/-/workspace_id': {
    stems: ['/workspaces/{workspace}'],
    requests: (name, own) => {
      const workspace_limits = [{ workspace_id: name, usage_limits: { type: 'tokens', credit_limit: 1_000_000 } }];
      return {
        create_integration: {
          request: 'POST /integrations',
          body: { name: 'i', provider: 'openai', key: 'k', workspace_limits },
        },
        update_integration: { request: `PUT /integrations/${own}-integration`, body: { workspace_limits } },
      };
    },
  },
  'body/conditions/-/value': {
    stems: ['/api-keys/{id}'],
    requests: (name) => conditionalPolicies({ key: 'api_key', value: name }),
  },
  'body/conditions/-/excludes': {
    stems: ['/api-keys/{id}'],
    requests: (name) => conditionalPolicies({ key: 'api_key', value: '*', excludes: [name] }),
  },
  'body/integration_id': {
    stems: ['/integrations/{slug}'],
    requests: (name) => ({
      create_provider: { request: 'POST /providers', body: { name: 'p', integration_id: name } },
    }),
  },
  'body/defaults/config_id': {
    stems: ['/configs/{slug}'],
    requests: (name) => ({
      ...makingKeys({ defaults: { config_id: name } }),
      update_key: { request: 'PUT /api-keys/{key}', body: { defaults: { config_id: name } } },
    }),
  },
  'body/settings/config': {
    stems: ['/configs/{slug}'],
    requests: (name, own) => ({
      update_organisation: { request: 'PUT /organisation', body: { settings: { config: name } } },
      create_workspace: { request: 'POST /workspaces', body: { name: 'w', settings: { config: name } } },
      update_workspace: { request: `PUT /workspaces/${own}`, body: { settings: { config: name } } },
    }),
  },
  'body/settings/input_guardrails': {
    stems: ['/guardrails/{slug}'],
    requests: (name, own) => guardedBy({ input_guardrails: [name] }, own),
  },
  'body/settings/output_guardrails': {
    stems: ['/guardrails/{slug}'],
    requests: (name, own) => guardedBy({ output_guardrails: [name] }, own),
  },
  'body/guardrail': {
    stems: ['/guardrails/{slug}'],
    requests: (name) => ({
      try_guardrail: { request: 'POST /guardrails/try', body: { text: 'Hello', guardrail: name } },
    }),
  },
  'body/config': {
    stems: ['/providers/{slug}', '/virtual-keys/{slug}', '/guardrails/{slug}', '/prompts/{id}', '/configs/{slug}'],
    requests: (name, own) => ({
      ...everyConfig(name, own),
      'replay_log, saved': { request: 'POST /logs/{log}/replay', body: { config: name } },
    }),
  },
  'body/collection_id': {
    stems: ['/collections/{id}'],
    requests: (name, own) => prompts({ collection_id: name }, own),
  },
  'body/virtual_key': {
    stems: ['/virtual-keys/{slug}', '/providers/{slug}'],
    requests: (name, own) => ({
      ...prompts({ virtual_key: name }, own),
      'create_prompt, @': prompts({ virtual_key: `@${name}` }, own).create_prompt ?? { request: '' },
    }),
  },
  'body/model': {
    stems: ['/providers/{slug}', '/virtual-keys/{slug}'],
    requests: (name, own) => ({
      ...prompts({ model: `@${name}/m` }, own),
      ...running({ model: `@${name}/m` }, own),
      // Its account alone decides, so that another account in the model is rejected, whoever owns it.
      'create_fine_tuning_job, with another account': tuning({ model: `@${name}/m` }).create_fine_tuning_job,
      ...tuning({}),
      'create_batch, with another account': batches({ model: `@${name}/m` }).create_batch ?? { request: '' },
      ...batches({}),
    }),
  },
  'body/parameters/model': {
    stems: ['/providers/{slug}', '/virtual-keys/{slug}'],
    requests: (name, own) => prompts({ parameters: { model: `@${name}/m` } }, own),
  },
  'body/string': {
    stems: ['/prompts/partials/{id}'],
    requests: (name, own) => ({
      ...prompts({ string: string(`{{>${name}}} {{> ${name}@latest}}`) }, own),
      create_partial: { request: 'POST /prompts/partials', body: { name: 'p', string: `{{>${name}}}` } },
      update_partial: { request: `PUT /prompts/partials/${own}-outer`, body: { string: `{{>${name}@1}}` } },
    }),
  },
  'body/training_file': {
    stems: ['/files/{id}'],
    requests: (name) => tuning({ training_file: name }),
  },
  'body/validation_file': {
    stems: ['/files/{id}'],
    requests: (name) => tuning({ validation_file: name }),
  },
  'body/input_file_id': {
    stems: ['/files/{id}'],
    requests: (name) => batches({ input_file_id: name }),
  },
  'body/gw_options/x-gw-config': {
    stems: ['/configs/{slug}'],
    requests: (name) => batches({ gw_options: { 'x-gw-config': name } }),
  },
  'body/gw_options/x-gw-provider': {
    stems: ['/providers/{slug}'],
    requests: (name) => batches({ gw_options: { 'x-gw-provider': `@${name}` } }),
  },
  'body/gw_options/x-gw-virtual-key': {
    stems: ['/virtual-keys/{slug}'],
    requests: (name) => batches({ gw_options: { 'x-gw-virtual-key': name } }),
  },
  'body/target': {
    stems: ['/providers/{slug}'],
    requests: (name, own) => ({
      create_virtual_model: { request: 'POST /virtual-models', body: { name: 'v', target: `@${name}/m` } },
      update_virtual_model: {
        request: `PUT /virtual-models/${own}-virtual-model`,
        body: { target: `@${name}/m` },
      },
    }),
  },
  'body/label': {
    stems: ['/labels/{id}'],
    requests: (name, own) => ({
      label_prompt: { request: `PUT /prompts/${own}-prompt/labels`, body: { label: name, version: 1 } },
    }),
  },
};

/** Values that the records of the log are compared with, only within the caller's workspace. */
const ofLogs = [
  ...['after', 'limit', 'trace_id', 'key_id', 'config', 'plan', 'method', 'path', 'operation', 'leaf', 'target'],
  ...['prompt_slug', 'provider', 'slug', 'requested_model', 'model', 'cause', 'end', 'cache_status', 'source'],
  ...['is_success', 'fell_back', 'balanced', 'time_min', 'time_max'],
  ...['status', 'ms', 'attempt_count', 'retry_count', 'input_tokens', 'output_tokens', 'cost_nano_usd'].flatMap(
    (name) => [name, `min_${name}`, `max_${name}`],
  ),
].map((name) => `query:${name}`);

/** Members that name no record. Those that end in a slash include everything below them. */
export const namelessMembers: readonly string[] = [
  ...['values', 'records', 'text', 'as'],
  ...ofLogs,
  'query:page_size',
  'query:current_page',
  'query:status',
  ...['query:resource_type', 'query:action'],
  // Filters of the caller's own sums: a name of another tenant matches nothing.
  ...['from', 'to', 'group_by', 'key', 'model', 'provider', 'config', 'metadata'].map((name) => `query:${name}`),
  ...['query:dry_run', 'query:purpose', 'query:order', 'query:outcome', 'query:step', 'query:split_by'],
  // Parts of a response whose id is in the path.
  ...['query:include', 'query:include_obfuscation', 'query:stream', 'query:starting_after', 'query:before'],
  ...['settings/keep_responses', 'settings/keep_responses_days', 'settings/judged_turns', 'settings/cache_max_age'],
  ...['query:type', 'query:unit', 'query:include_usage', 'query:search', 'query:is_default'],
  ...['name', 'slug', 'note', 'description', 'colour', 'kind', 'scope', 'scopes', 'user_id', 'version'],
  ...['expires_at', 'key_transition_period_ms', 'is_default', 'is_raw_template', 'patch', 'version_description'],
  ...['keys', 'keys/-/api_key', 'keys/-/weight', 'accounts', 'tls', 'tls/'],
  ...['provider', 'credential', 'key', 'resourceName', 'apiVersion', 'deploymentName', 'allow_all_models', 'models'],
  ...['models/', 'deploymentConfig', 'deploymentConfig/', 'rotation_policy', 'rotation_policy/', 'checks', 'actions'],
  ...['checks/', 'actions/', 'settings', 'settings/metadata', 'settings/jwt', 'defaults', 'defaults/metadata'],
  // These name something at the provider.
  ...['custom_host', 'unknown_ids', ...settingFields].map((name) => `settings/${name}`),
  ...[
    'defaults/allow_config_override',
    'defaults/priority',
    'parameters',
    'parameters/',
    'functions',
    'functions/',
    'tools',
    'tools/',
  ],
  ...['tool_choice', 'template_metadata', 'variables', 'messages', 'messages/', 'prompt', 'frequency_penalty', 'user'],
  ...['logit_bias', 'logprobs', 'top_logprobs', 'max_tokens', 'n', 'presence_penalty', 'response_format', 'seed'],
  ...['response_format/', 'stop', 'stream', 'stream_options', 'thinking', 'thinking/', 'temperature', 'top_p'],
  ...['parallel_tool_calls', 'function_call', 'rate_limits', 'rate_limits/', 'usage_limits', 'usage_limits/'],
  ...['workspace_limits', 'workspace_limits/-/rate_limits', 'workspace_limits/-/rate_limits/'],
  ...['workspace_limits/-/usage_limits', 'workspace_limits/-/usage_limits/', 'conditions', 'conditions/-/key'],
  ...['group_by', 'group_by/', 'type', 'unit', 'value', 'if_unknown', 'credit_limit', 'alert_threshold'],
  ...['periodic_reset', 'periodic_reset_days', 'reset_usage_for_value'],
  ...[
    'suffix',
    'method',
    'method/',
    'hyperparameters',
    'hyperparameters/',
    'integrations',
    'integrations/',
    'role_arn',
  ],
  ...['endpoint', 'completion_window', 'output_expires_after', 'output_expires_after/', 'gw_options'],
  ...[
    'gw_options/x-gw-metadata',
    'request',
    'request/',
    'response',
    'response/',
    'metadata',
    '-/',
    'trace_id',
    'weight',
  ],
].map((member) => (member.startsWith('query:') ? member : `body/${member}`));
