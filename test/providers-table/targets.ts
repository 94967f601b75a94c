import type { Credential, Provider } from '../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { SecretHeaders } from './clients/official-client.ts';

/** A sample secret for each credential field. */
export const credentialSamples = {
  api_key: 'key-of-the-test',
  cloudc_access_key_id: 'AKIDFORTESTS',
  cloudc_secret_access_key: 'aws-secret-for-tests',
  watsonx_token: 'token-of-the-test',
} as const;

/** The region of targets in clouds. */
export const region = 'us-east-1';

/** The dated version of the Azure OpenAI API. */
export const azureVersion = '2024-10-21';

interface TargetSample {
  /** The credential fields; if absent, only the first one of the provider's row. */
  readonly fields?: readonly (keyof typeof credentialSamples)[];
  readonly settings?: JsonObject;
  /** By dialect, if the vendor does not serve the first of the sample models in it. */
  readonly models?: Readonly<Record<string, string>>;
}

/** By provider, for those that need more than a key. */
const targetSamples: Readonly<Record<string, TargetSample>> = {
  'azure-ai': { settings: { clouda_foundry_url: 'https://acme.services.ai.azure.com' } },
  'azure-openai': { settings: { resource_name: 'acme', api_version: azureVersion } },
  bedrock: {
    fields: ['cloudc_access_key_id', 'cloudc_secret_access_key'],
    settings: { cloudc_region: region },
    models: { 'bedrock-rerank': 'cohere.rerank-v3-5', 'bedrock-images': 'amazon.nova-canvas-v1:0' },
  },
  'mistral-ai': { models: { completions: 'codestral-latest' } },
  'openai-compatible': { settings: { base_url: 'https://models.example.com/v1' } },
  cortex: { settings: { snowflake_account: 'acme-main' } },
  oracle: { settings: { oracle_region: 'eu-frankfurt-1' } },
  predibase: { settings: { predibase_tenant_id: 'acme' } },
  sagemaker: { settings: { cloudc_region: region } },
  // With a key, the gateway would first exchange it for a token at another host.
  watsonx: { fields: ['watsonx_token'], settings: { watsonx_region: 'us-south', watsonx_project_id: 'acme' } },
  'vertex-ai': { settings: { cloudb_project_id: 'acme', cloudb_region: 'europe-west4' } },
  'workers-ai': { settings: { workers_ai_account_id: 'acme' } },
};

/** Sample models. If a provider serves models of several makers, each of its dialects has one of these. */
const modelSamples: readonly string[] = [
  ...['a-model', 'claude-opus-4-6', 'gemini-2.5-flash', 'meta.llama-3.3-70b', 'mistralai.mistral-ocr-2505'],
  ...['amazon.titan-embed-text-v2:0', 'amazon.nova-2-multimodal-embeddings-v1:0', 'cohere.embed-english-v3'],
];

const isSecret = (field: string): field is keyof typeof credentialSamples => Object.hasOwn(credentialSamples, field);

/** Returns the secrets of a target, by field. Throws if a field has no sample. */
export const credentialOf = ({ id, credential, credentialFields: [first = 'api_key'] = [] }: Provider): Credential => {
  if (credential === 'none') return {};
  const fields: readonly string[] = targetSamples[id]?.fields ?? [first];
  return Object.fromEntries(
    fields.map((field) => {
      if (!isSecret(field)) throw new Error(`Add a secret for ${field} to test/providers-table/targets.ts.`);
      return [field, credentialSamples[field]];
    }),
  );
};

/** Returns the settings of a target of the provider, without its credential. */
export const settingsOf = ({ id }: Provider): JsonObject => targetSamples[id]?.settings ?? {};

/** Returns the headers of the provider's row that contain its credential, with names in lower case. */
export const secretHeaders = (provider: Provider): SecretHeaders => {
  const credential = credentialOf(provider);
  const secrets = Object.values(credential).filter((secret) => secret !== undefined);
  const raw = provider.headers(credential, settingsOf(provider));
  return raw.flatMap((name, at) => {
    const value = raw[at + 1] ?? '';
    const isSecretHeader = at % 2 === 0 && secrets.some((secret) => value.includes(secret));
    return isSecretHeader ? [[name.toLowerCase(), value] as const] : [];
  });
};

/** Returns a model that the provider serves in the dialect. Throws if there is no sample. */
export const modelOf = (provider: Provider, dialect: string): string => {
  const settings = settingsOf(provider);
  const model =
    targetSamples[provider.id]?.models?.[dialect] ??
    modelSamples.find((each) => provider.dialectsOf?.(each, settings).includes(dialect) ?? true);
  if (model !== undefined) return model;
  throw new Error(`Add a model that ${provider.id} serves as ${dialect} to test/providers-table/targets.ts.`);
};

/** Returns the provider's own base URL, or undefined if each target sets it. Throws if a setting is missing. */
const baseUrlOf = (provider: Provider): URL | undefined => {
  const { id, baseUrl } = provider;
  if (baseUrl === undefined) return undefined;
  if (typeof baseUrl === 'string') {
    if (!URL.canParse(baseUrl)) throw new Error(`The baseUrl of ${id} is not a URL: ${baseUrl}`);
    return new URL(baseUrl);
  }
  try {
    return new URL(baseUrl(settingsOf(provider)));
  } catch (error) {
    throw new Error(`Add the settings of ${id} to test/providers-table/targets.ts.`, { cause: error });
  }
};

/** Returns the provider's origin, or an empty string if each target sets it. */
export const originOf = (provider: Provider): string => baseUrlOf(provider)?.origin ?? '';

/** Returns the path of the provider's own base URL, which its targets have in tests as well. */
export const basePathOf = (provider: Provider): string => baseUrlOf(provider)?.pathname.replace(/\/$/, '') ?? '/v1';
