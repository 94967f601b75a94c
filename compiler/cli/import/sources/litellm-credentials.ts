import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { keyVariable } from '../../../../schema/text/key-variable.ts';
import type { Draft } from '../draft/draft.ts';
import type { OpenaiService } from '../draft/openai-services.ts';
import type { SourceObject } from '../draft/read-source.ts';

/** Credentials of clouds, with our names. */
const secrets: Readonly<Record<string, string>> = {
  aws_access_key_id: 'cloudc_access_key_id',
  aws_secret_access_key: 'cloudc_secret_access_key',
  aws_session_token: 'cloudc_session_token',
  vertex_credentials: 'cloudb_service_account_json',
};

/** The members that specify where a provider is called. */
export const hostMembers: readonly string[] = ['api_base', 'base_url', 'aws_bedrock_runtime_endpoint'];

/** Returns the address that a deployment states. */
export const statedHost = (source: SourceObject): string | undefined =>
  hostMembers.map((name) => source.text(name)).find((each) => each !== undefined);

/** The variables from which the other gateway reads keys, if their names differ from that of the provider here. */
const keyVariables: Readonly<Record<string, string>> = {
  'azure-openai': 'AZURE_API_KEY',
  jina: 'JINA_AI_API_KEY',
  'mistral-ai': 'MISTRAL_API_KEY',
  'novita-ai': 'NOVITA_API_KEY',
  nvidia: 'NVIDIA_NIM_API_KEY',
  'perplexity-ai': 'PERPLEXITYAI_API_KEY',
  'recraft-ai': 'RECRAFT_API_KEY',
  'stability-ai': 'STABILITY_API_KEY',
  'together-ai': 'TOGETHERAI_API_KEY',
  vercel: 'VERCEL_AI_GATEWAY_API_KEY',
  'workers-ai': 'CLOUDFLARE_API_KEY',
  'x-ai': 'XAI_API_KEY',
  'z-ai': 'ZAI_API_KEY',
};

/** Returns the variable from which the other gateway reads the key of a provider. */
const keyOf = (provider: string, service: OpenaiService | undefined): string =>
  service?.key ?? lookUp(keyVariables, provider) ?? keyVariable(provider);

/** The variables from which a cloud credential is read if the file names none, by our fields. */
const cloudVariables: Readonly<Record<string, string>> = {
  cloudc_access_key_id: 'AWS_ACCESS_KEY_ID',
  cloudc_secret_access_key: 'AWS_SECRET_ACCESS_KEY',
};

/** A key that stands for none. Private hosts often need no key, but programs require one. */
const placeholder =
  /^(?:(?:sk-)?(?:any(?:thing)?|dummy|empty|fake|none|null|placeholder|x{3,}|(?:no|not)[-_]?(?:key|needed|required|used)[\w-]*)|-)(?:[-_]key)?$/i;

export const accountField = 'cloudb_service_account_json';

/** A provider, or the service for which it is called. */
export interface Callable {
  readonly provider: Provider;
  readonly service: OpenaiService | undefined;
}

/**
 * Returns the variable for a key that the file contains in clear text. For a private host, it is named after the host: if the
 * variable that clients of the provider read is set already, the provider's key would be sent to that host.
 */
const literalKeyName = ({ provider, service }: Callable, source: SourceObject): string => {
  const address = statedHost(source);
  if (address === undefined || provider.id.startsWith('azure')) return keyOf(provider.id, service);
  return `API key of ${URL.parse(address)?.hostname ?? 'own host'}`;
};

/** Returns a credential: the key in the file, those of a cloud, or the variable that clients of the provider read. */
export const credentialOf = (called: Callable, source: SourceObject, draft: Draft): JsonObject => {
  const { provider, service } = called;
  const key = source.text('api_key');
  const fields = provider.credentialFields ?? ['api_key'];
  if (key !== undefined && statedHost(source) !== undefined && placeholder.test(key)) return {};
  if (key !== undefined) return { api_key: draft.secret(key, literalKeyName(called, source), source.at('api_key')) };
  const own = secretsOf(source, draft);
  if (service?.key !== undefined) return { api_key: draft.variable(service.key) };
  if (Object.keys(own).length > 0 || provider.credential !== 'required') return own;
  const clouds = Object.entries(cloudVariables).filter(([field]) => fields.includes(field));
  if (clouds.length > 0) return Object.fromEntries(clouds.map(([field, name]) => [field, draft.variable(name)]));
  if (fields.includes(accountField))
    return { [accountField]: draft.absentSecret('service account', 'GOOGLE_SERVICE_ACCOUNT_JSON') };
  return { api_key: draft.variable(keyOf(provider.id, service)) };
};

/** Returns a credential of a cloud. That of a service account may be the path of a file. */
const secretsOf = (source: SourceObject, draft: Draft): JsonObject =>
  Object.fromEntries(
    Object.entries(secrets).flatMap(([name, ours]): readonly (readonly [string, Json])[] => {
      const value = source.text(name);
      if (value === undefined) return [];
      const isPath = ours === accountField && value.startsWith('/');
      return [[ours, isPath ? `\${file:${value}}` : draft.secret(value, name, source.at(name))]];
    }),
  );
