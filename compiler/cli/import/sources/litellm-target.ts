import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { keyVariable } from '../../../../schema/text/key-variable.ts';
import { azurePlace, foundryPlace } from '../draft/azure-address.ts';
import { Draft, type Loss } from '../draft/draft.ts';
import type { ModelKind } from '../draft/model-kind.ts';
import { findOpenaiService, type OpenaiService } from '../draft/openai-services.ts';
import { findProviderName, providerOfModel } from '../draft/provider-names.ts';
import { readRetries } from '../draft/read-retries.ts';
import type { Sourced, SourceObject } from '../draft/read-source.ts';
import { referredVariable } from '../draft/references.ts';
import { accountField, credentialOf, hostMembers, statedHost } from './litellm-credentials.ts';
import { toTimeout } from './litellm-settings.ts';

/** A target of a model, with its place in the source, its weight, and the step at which it is called. */
export interface Deployment {
  readonly target: JsonObject;
  readonly pointer: JsonPointer;
  readonly weight: number;
  readonly order: number;
  readonly kind: ModelKind;
}

/** Parameters of a request that a target sets. */
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

/** Settings of clouds, with our names. */
const settings: Readonly<Record<string, string>> = {
  aws_region_name: 'cloudc_region',
  organization: 'llmv_organization',
  vertex_location: 'cloudb_region',
  vertex_project: 'cloudb_project_id',
};

interface Found {
  readonly provider: string;
  readonly model: string;
  /** Present if the provider is called at the address of a service that is not a separate provider here. */
  readonly service?: OpenaiService | undefined;
  /** The region that the name of the model states. */
  readonly region?: string | undefined;
}

/** Returns the provider that another name stands for; undefined if there is none. */
const findProvider = (name: string, known: ReadonlyMap<string, unknown>): Omit<Found, 'model'> | undefined => {
  const provider = findProviderName(name, known);
  if (provider !== undefined) return { provider };
  const service = findOpenaiService(name);
  return service === undefined ? undefined : { provider: 'openai-compatible', service };
};

/**
 * Routes of one provider that the other gateway writes before a model, and families of models that it writes before a deployment.
 */
const routes = /^(?:converse|converse_like|gpt5_series|invoke|model_router|o_series|responses)\//;

const regionBefore = /^([a-z]{2}(?:-[a-z]+)+-\d{1,2})\/(?=.)/;
const regionInArn = /^arn:[a-z-]+:bedrock:([a-z0-9-]+):/;

/** Returns the region in the name of a model of Bedrock, which is used if the deployment states none. */
const regionOf = (provider: string, named: string): string | undefined =>
  provider === 'bedrock' ? (regionBefore.exec(named) ?? regionInArn.exec(named))?.[1] : undefined;

/**
 * Returns the name of a model at its provider. Hugging Face has the name of an inference provider after the model, LiteLLM before
 * it.
 */
const modelOf = (provider: string, named: string): string => {
  if (provider === 'bedrock') return named.replace(regionBefore, '');
  const [inference, owner, model, ...more] = named.split('/');
  if (provider !== 'huggingface' || model === undefined || more.length > 0) return named;
  return `${owner}/${model}:${inference}`;
};

/** Returns the provider and the model that a deployment names. */
export const findModel = (
  model: string,
  own: string | undefined,
  known: ReadonlyMap<string, unknown>,
): Found | undefined => {
  const [prefix = '', ...rest] = model.split('/');
  const named = rest.length === 0 ? undefined : findProvider(prefix, known);
  if (named !== undefined) {
    const asked = rest.join('/').replace(routes, '');
    return { ...named, model: modelOf(named.provider, asked), region: regionOf(named.provider, asked) };
  }
  if (own !== undefined) {
    const stated = findProvider(own, known);
    return stated === undefined ? undefined : { ...stated, model };
  }
  const provider = providerOfModel(model);
  return provider === undefined ? undefined : { provider, model };
};

/**
 * Providers whose paths begin with a version here: Ollama is called by OpenAI's API, and Anthropic's host has no version in
 * LiteLLM.
 */
const versionedProviders: ReadonlySet<string> = new Set(['anthropic', 'ollama']);

const versioned = (provider: string, base: string): string => {
  const url = base.replace(/\/+$/, '');
  if (!versionedProviders.has(provider)) return url;
  return `${url.replace(/\/v1(?:\/messages)?$/, '')}/v1`;
};

const addressOf = ({ provider, model, service }: Found, source: SourceObject): JsonObject => {
  const base = statedHost(source) ?? service?.address;
  if (provider === 'azure-openai') return azurePlace(model, base, source.text('api_version'));
  if (base === undefined) return {};
  const foundry = provider === 'azure-ai' ? foundryPlace(base, source.text('api_version')) : undefined;
  return foundry ?? { custom_host: versioned(provider, base) };
};

const settingsOf = (source: SourceObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, ours]): readonly (readonly [string, Json])[] => {
      const value = source.text(name);
      return value === undefined ? [] : [[ours, value]];
    }),
  );

/** Returns where a provider is called, and in which region or project. */
export const placeOf = (found: Found, source: SourceObject): JsonObject => ({
  ...addressOf(found, source),
  ...(found.region === undefined ? {} : { cloudc_region: found.region }),
  ...settingsOf(source),
});

/** A member because of which a deployment is no target, the reason, and what to do. */
type Refusal = readonly [member: string, why: string, instead: string];

const inVariable = (name: string, variable: string): readonly [why: string, instead: string] => [
  `"${name}" is in the variable ${variable}, but only secrets can be references here.`,
  `Write its value as "${name}", and import the file again: into another folder, or after removing this one.`,
];

/** The members that specify where a target is. Only secrets can be references here, so these must be values. */
const placeMembers: readonly string[] = [...hostMembers, 'api_version', ...Object.keys(settings)];

/**
 * The variables in which the other gateway looks up the place of a deployment that states none:
 * https://docs.litellm.ai/docs/providers/azure/, and its pages on Bedrock and Vertex AI.
 */
const placeVariables: { readonly [provider: string]: { readonly [member: string]: string } } = {
  'azure-openai': { api_base: 'AZURE_API_BASE', api_version: 'AZURE_API_VERSION' },
  'azure-ai': { api_base: 'AZURE_AI_API_BASE' },
  bedrock: { aws_region_name: 'AWS_REGION_NAME' },
  'vertex-ai': { vertex_location: 'VERTEXAI_LOCATION', vertex_project: 'VERTEXAI_PROJECT' },
};

const placeVariablesOf = ({ provider, service }: Found): { readonly [member: string]: string } =>
  service?.addressVariable === undefined
    ? (lookUp(placeVariables, provider) ?? {})
    : { api_base: service.addressVariable };

/**
 * Adds to the parameters the variables from which missing places are read: the address always, and others only if the file states
 * their values.
 */
const withDefaultPlace = (
  params: JsonObject,
  stated: JsonObject,
  providers: ReadonlyMap<string, unknown>,
): JsonObject => {
  const { model, custom_llm_provider: own } = params;
  if (typeof model !== 'string') return params;
  const found = findModel(model, typeof own === 'string' ? own : undefined, providers);
  const isSaid = (member: string): boolean =>
    (member === 'aws_region_name' && found?.region !== undefined) ||
    (member === 'api_base' ? hostMembers : [member]).some((name) => (params[name] ?? null) !== null);
  const missing = Object.entries(found === undefined ? {} : placeVariablesOf(found)).filter(
    ([member, variable]) => !isSaid(member) && (member === 'api_base' || lookUp(stated, variable) !== undefined),
  );
  return { ...params, ...Object.fromEntries(missing.map(([member, name]) => [member, `os.environ/${name}`])) };
};

/** Adds the parameters of the credential that a deployment names in `credential_list`; its own parameters take precedence. */
export const withNamedCredential = (params: Json | undefined, list: readonly Sourced[]): Json | undefined => {
  if (!isJsonObject(params) || typeof params.litellm_credential_name !== 'string') return params;
  const { litellm_credential_name: named, ...own } = params;
  const values = list
    .map(({ value }) => (isJsonObject(value) && value.credential_name === named ? value.credential_values : undefined))
    .find((each) => isJsonObject(each));
  return isJsonObject(values) ? { ...values, ...own } : params;
};

/** Replaces variables in the place of a deployment by the values that the same file states for them. */
export const withStatedPlace = (
  written: Json | undefined,
  environment: Json | undefined,
  providers: ReadonlyMap<string, unknown>,
): Json | undefined => {
  if (!isJsonObject(written)) return written;
  const stated = isJsonObject(environment) ? environment : {};
  const params = withDefaultPlace(written, stated, providers);
  const values = placeMembers.flatMap((name) => {
    const variable = typeof params[name] === 'string' ? referredVariable(params[name]) : undefined;
    const value = variable === undefined ? undefined : lookUp(stated, variable);
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return { ...params, ...Object.fromEntries(values) };
};

/** Returns the settings that are in variables, including the address. Without them, a target cannot be called. */
export const findVariables = (source: SourceObject): readonly Refusal[] =>
  placeMembers.flatMap((name): readonly Refusal[] => {
    const variable = referredVariable(source.text(name) ?? '');
    return variable === undefined ? [] : [[name, ...inVariable(name, variable)]];
  });

export interface TargetContext {
  readonly draft: Draft;
  readonly providers: ReadonlyMap<string, Provider>;
}

/** Refuses a provider that a model or its entry names, because there is none with this name here. */
const noProvider = (model: string, own: string | undefined): Refusal => {
  const [prefix = '', ...rest] = model.split('/');
  const name = own ?? (rest.length === 0 ? '' : prefix);
  const named = own === undefined ? rest.join('/') : model;
  if (name === '' || named === '')
    return [
      'model',
      'This is not a provider and one of its models.',
      'Write PROVIDER/MODEL, and import the file again into another folder: docs/reference/providers.md lists providers.',
    ];
  const target = {
    ...{ provider: 'openai-compatible', custom_host: 'https://HOST/v1', api_key: `\${env:${keyVariable(name)}}` },
    override_params: { model: named },
  };
  return [
    'model',
    `No provider here corresponds to LiteLLM's "${name}".`,
    `If its service uses OpenAI's format, write this target with its address: ${JSON.stringify(target)}. docs/reference/providers.md lists providers.`,
  ];
};

const anything: Refusal = [
  'model',
  'A name with a star means any model of any provider.',
  'Save each provider under "providers" in gateway.json, and clients write openai/MODEL for one that is saved as "openai".',
];

const wildcard: Refusal = [
  'model',
  'A name with a star means several models, but a config is for one.',
  'Write a target with a provider and one model, or save the provider, and clients write openai/MODEL for one that is saved as "openai".',
];

/** Returns why a deployment is not a target; empty if it is one. */
const refuse = (source: SourceObject, model: string, found: Found | undefined): readonly Refusal[] => {
  const variables = findVariables(source);
  if (model.includes('*')) return variables.length > 0 ? variables : [model === '*' ? anything : wildcard];
  return found === undefined || found.model === ''
    ? [noProvider(model, source.text('custom_llm_provider'))]
    : variables;
};

/** The parts of the target of a deployment. */
export interface TargetParts extends Omit<Found, 'region' | 'service'> {
  readonly credential: JsonObject;
  readonly place: JsonObject;
  /** The parameters that it sets, without its model. */
  readonly parameters: JsonObject;
  /** The members of a config that only this target has. */
  readonly settings: JsonObject;
}

const readParts = (
  source: SourceObject,
  { found, provider }: { readonly found: Found; readonly provider: Provider },
  draft: Draft,
): TargetParts => {
  const timeout = source.number('timeout') ?? source.number('request_timeout');
  const retries = readRetries(source, 'max_retries', draft) ?? readRetries(source, 'num_retries', draft);
  const parameters = Object.fromEntries(
    params.flatMap((name) => {
      const value = source.get(name) ?? null;
      const variable = typeof value === 'string' ? referredVariable(value) : undefined;
      if (variable !== undefined) draft.lose(source.at(name), ...inVariable(name, variable));
      return value === null || variable !== undefined ? [] : [[name, value] as const];
    }),
  );
  const settings = {
    ...toTimeout(timeout),
    ...(retries === undefined ? {} : { retry: { attempts: retries } }),
  };
  const place = placeOf(found, source);
  if (provider.id === 'bedrock' && place.cloudc_region === undefined && place.custom_host === undefined)
    draft.lose(
      source.at('model'),
      'LiteLLM calls Bedrock in the region of the variable AWS_REGION_NAME if a deployment specifies none. Here it is us-east-1.',
      'If it is another one, write it as "cloudc_region" into the target.',
    );
  return {
    ...{ provider: provider.id, model: found.model, parameters, settings, place },
    credential: credentialOf({ provider, service: found.service }, source, draft),
  };
};

/** A deployment that is not a target. */
interface Refused {
  readonly refusals: readonly Loss[];
  /**
   * The target that it becomes once its refusals are resolved, and the draft with the losses of that target; undefined without a
   * provider.
   */
  readonly mended: { readonly parts: TargetParts; readonly draft: Draft } | undefined;
}

/** Reads the parts of the target of a deployment, or why there is none. */
export const readTarget = (
  source: SourceObject,
  { draft, providers }: TargetContext,
): { readonly parts: TargetParts } | Refused => {
  const model = source.text('model') ?? '';
  const found = findModel(model, source.text('custom_llm_provider'), providers);
  const refused = refuse(source, model, found);
  const provider = found === undefined ? undefined : providers.get(found.provider);
  const called = found === undefined || provider === undefined ? undefined : { found, provider };
  if (refused.length === 0 && called !== undefined) return { parts: readParts(source, called, draft) };
  const refusals = refused.map(([member, why, instead]) => ({
    pointer: source.at(member),
    why: `${why} ("${model}")`,
    instead,
  }));
  const apart = new Draft();
  const mended = called === undefined ? undefined : { parts: readParts(source, called, apart), draft: apart };
  return { refusals, mended };
};

/** Whether only a saved provider can have the credential or the place. */
const needsSaving = ({ credential, place }: TargetParts): boolean =>
  credential[accountField] !== undefined || place.clouda_foundry_url !== undefined;

/**
 * Returns the target of a deployment, and its provider: a saved one if it has a name of its own, or if only a saved one is
 * possible.
 */
export const toTarget = (
  parts: TargetParts,
  name: string | undefined,
  draft: Draft,
): { readonly target: JsonObject; readonly provider: string } => {
  const { provider, model, credential, place, parameters, settings } = parts;
  const saved = {
    provider,
    ...(Object.keys(credential).length === 0 ? {} : { credential }),
    ...(Object.keys(place).length === 0 ? {} : { settings: place }),
  };
  const slug =
    name === undefined && !needsSaving(parts) ? undefined : `@${draft.save('providers', name ?? provider, saved)}`;
  // A model whose name begins like that of a saved provider is prefixed with its provider.
  const named = model.startsWith('@') ? `${slug ?? `@${provider}`}/${model}` : model;
  const target = {
    ...(slug === undefined ? { provider, ...credential, ...place } : { provider: slug }),
    override_params: { model: named, ...parameters },
    ...settings,
  };
  return { target, provider: name === undefined ? provider : (slug ?? provider) };
};
