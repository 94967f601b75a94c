import type { JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders, UpstreamRequest } from '../../sdk/http/http.ts';
import type { AuthorizeContext, Credential } from '../../sdk/provider/provider.ts';
import { textSetting } from '../shared/text-setting.ts';
import { withHeaders } from './with-headers.ts';

/** The settings that choose an identity of Microsoft Entra ID. */
export const entraSettings = [
  'clouda_auth_mode',
  'clouda_entra_tenant_id',
  'clouda_entra_client_id',
  'clouda_entra_scope',
  'clouda_managed_client_id',
] as const;

/** The credential fields that authenticate such an identity. */
export const entraCredentialFields = ['clouda_ad_token', 'clouda_entra_client_secret'] as const;

/** How a target proves its identity: with a key or a given token, or with a token that it requests. */
type AuthMode = 'given' | 'entra' | 'managed' | 'workload';

const authMode = (credential: Credential, settings: JsonObject): AuthMode => {
  const mode = textSetting(settings, 'clouda_auth_mode');
  if (mode === 'entra' || mode === 'managed' || mode === 'workload') return mode;
  return credential.clouda_entra_client_secret === undefined ? 'given' : 'entra';
};

/** Whether the settings choose the machine's identity, which needs no credential. */
export const usesMachineIdentity = (settings: JsonObject): boolean =>
  ['managed', 'workload'].includes(textSetting(settings, 'clouda_auth_mode') ?? '');

/**
 * Returns the key in the header that the caller names, or a given token, with or without `Bearer` before it, as a bearer token.
 * Returns no header if a token is requested.
 */
export const azureHeaders = (credential: Credential, settings: JsonObject, keyHeader: RawHeaders): RawHeaders => {
  const { clouda_ad_token: token } = credential;
  if (token !== undefined) return ['Authorization', `Bearer ${token.replace(/^bearer\s+/i, '')}`];
  return authMode(credential, settings) === 'given' ? keyHeader : [];
};

/**
 * The scope of tokens, unless `clouda_entra_scope` is set:
 * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/managed-identity and
 * https://learn.microsoft.com/azure/ai-foundry/foundry-models/how-to/configure-entra-id
 */
const defaultScope = 'https://cognitiveservices.azure.com/.default';

/**
 * Replaces the key of a request with a token of Microsoft Entra ID, if the target has such an identity. The machine's identity
 * belongs to the operator: other targets are refused with an `Error`.
 */
export const authorizeWithEntra = async (
  request: UpstreamRequest,
  context: AuthorizeContext,
): Promise<UpstreamRequest> => {
  const { credential, settings, isOperators } = context;
  const mode = authMode(credential, settings);
  if (mode === 'given' || credential.clouda_ad_token !== undefined) return request;
  if (mode !== 'entra' && !isOperators) throw new Error("Only targets of the operator may use the machine's identity.");
  const scope = textSetting(settings, 'clouda_entra_scope') ?? defaultScope;
  const token = await context.cached(
    JSON.stringify(['entra', mode, scope, ...entraSettings.map((name) => settings[name] ?? null)]),
    async () => {
      // Loaded on demand, because most gateways have no such identity.
      const { entraToken } = await import('./entra-token.ts');
      return entraToken[mode](context, scope);
    },
  );
  return withHeaders(request, ['Authorization', `Bearer ${token}`]);
};
