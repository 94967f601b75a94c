import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { Draft } from '../draft/draft.ts';
import { findProviderName, keyVariable, providerOfModel } from '../draft/provider-names.ts';
import type { SourceObject } from '../draft/read-source.ts';

/** Parameters of a request, which a target sets. */
const params = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'stop',
  'reasoning_effort',
  'dimensions',
  'user',
  'n',
] as const;

/** Settings of clouds, by our names; those that are true are secrets. */
const settings: Readonly<Record<string, readonly [ours: string, isSecret: boolean]>> = {
  aws_access_key_id: ['cloudc_access_key_id', true],
  aws_region_name: ['cloudc_region', false],
  aws_secret_access_key: ['cloudc_secret_access_key', true],
  aws_session_token: ['cloudc_session_token', true],
  organization: ['llmv_organization', false],
  vertex_credentials: ['cloudb_service_account_json', true],
  vertex_location: ['cloudb_region', false],
  vertex_project: ['cloudb_project_id', false],
};

/** Why a member of `litellm_params` is left out, and what to do. */
const lost: Readonly<Record<string, readonly [why: string, instead: string]>> = {
  rpm: [
    'Requests a minute are limited for keys and workspaces, not for a target',
    'Make a policy in a store: gw policies create.',
  ],
  tpm: [
    'Tokens a minute are limited for keys and workspaces, not for a target',
    'Make a policy in a store: gw policies create.',
  ],
  stream_timeout: [
    'A stream has the time-out of its target',
    'Set request_timeout of the target, or deadline_ms of the config.',
  ],
  input_cost_per_token: [
    'Prices are in the gateway file',
    'Write it under "prices", in US dollars for a million tokens.',
  ],
  output_cost_per_token: [
    'Prices are in the gateway file',
    'Write it under "prices", in US dollars for a million tokens.',
  ],
};

/** Providers that are asked without a key where none is given. */
const keyless: ReadonlySet<string> = new Set([
  'ollama',
  'vllm',
  'lmstudio',
  'bedrock',
  'vertex-ai',
  'llama.cpp',
  'echo',
]);

/** The name of a resource of Azure, in the address of its endpoint. */
const resourceOf = (base: string): string | undefined =>
  /^https:\/\/([a-z0-9-]+)\.openai\.azure\.com\/?/i.exec(base)?.[1];

interface Found {
  readonly provider: string;
  readonly model: string;
}

const findModel = (model: string, own: string | undefined, known: ReadonlyMap<string, unknown>): Found | undefined => {
  const [prefix = '', ...rest] = model.split('/');
  const named = rest.length === 0 ? undefined : findProviderName(prefix, known);
  if (named !== undefined) return { provider: named, model: rest.join('/') };
  const provider = own === undefined ? providerOfModel(model) : findProviderName(own, known);
  return provider === undefined ? undefined : { provider, model };
};

const addressOf = ({ provider, model }: Found, source: SourceObject): JsonObject => {
  const base = source.text('api_base') ?? source.text('base_url');
  const version = source.text('api_version');
  if (provider !== 'azure-openai') return base === undefined ? {} : { custom_host: base.replace(/\/+$/, '') };
  const resource = base === undefined ? undefined : resourceOf(base);
  return {
    ...(resource === undefined ? (base === undefined ? {} : { custom_host: base }) : { resource_name: resource }),
    deployment_id: model,
    api_version: version ?? '2024-10-21',
  };
};

const credentialOf = (provider: string, source: SourceObject, draft: Draft): JsonObject => {
  const key = source.text('api_key');
  const variable = keyVariable(provider);
  if (key !== undefined) return { api_key: draft.secret(key, variable, source.at('api_key')) };
  return keyless.has(provider) ? {} : { api_key: draft.variable(variable) };
};

/** The settings of clouds; a reference of the other gateway is one of ours. */
const settingsOf = (source: SourceObject, draft: Draft): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, [ours, isSecret]]): readonly (readonly [string, Json])[] => {
      const value = source.text(name);
      if (value === undefined) return [];
      const isReference = value.startsWith('os.environ/');
      return [[ours, isSecret || isReference ? draft.secret(value, name, source.at(name)) : value]];
    }),
  );

const reportUnread = (source: SourceObject, draft: Draft): void => {
  for (const name of source.unread()) {
    const [why, instead] = lost[name] ?? [
      `"${name}" has no counterpart in a target`,
      'Leave it out, or set it by override_params if it is a parameter.',
    ];
    draft.lose(source.at(name), `${why}.`, instead);
  }
};

/** The target of a deployment; undefined where no provider of ours serves it, which is a loss. */
export const toTarget = (
  source: SourceObject,
  { draft, providers }: { readonly draft: Draft; readonly providers: ReadonlyMap<string, unknown> },
): JsonObject | undefined => {
  const model = source.text('model') ?? '';
  const found = findModel(model, source.text('custom_llm_provider'), providers);
  if (found === undefined || model.includes('*')) {
    const why = model.includes('*')
      ? `"${model}" stands for any model of a provider`
      : `No provider here serves "${model}"`;
    draft.lose(
      source.at('model'),
      `${why}.`,
      'Write a target with a provider and one model; docs/providers.md lists providers.',
    );
    return undefined;
  }
  const timeout = source.number('timeout') ?? source.number('request_timeout');
  const retries = source.number('max_retries') ?? source.number('num_retries');
  const own = Object.fromEntries(
    params.flatMap((name) => {
      const value = source.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const target = {
    provider: found.provider,
    ...credentialOf(found.provider, source, draft),
    ...addressOf(found, source),
    ...settingsOf(source, draft),
    override_params: { model: found.model, ...own },
    ...(timeout === undefined ? {} : { request_timeout: Math.round(timeout * 1000) }),
    ...(retries === undefined ? {} : { retry: { attempts: Math.min(5, Math.max(0, retries)) } }),
  };
  source.get('weight');
  reportUnread(source, draft);
  return target;
};
