import { fileError } from '../../../schema/text/file-error.ts';
import { readFileOrPipe } from '../../sdk/files/read-file-or-pipe.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { textSetting } from '../shared/text-setting.ts';
import { type ExpiringToken, formRequest, requestToken } from './request-token.ts';

const required = (value: string | undefined, name: string): string => {
  if (value === undefined) throw new Error(`${name} is missing.`);
  return value;
};

/**
 * Returns the authority. The platforms of national clouds set the variable:
 * https://learn.microsoft.com/entra/identity-platform/authentication-national-cloud
 */
const authority = (): string => {
  const { AZURE_AUTHORITY_HOST: named = '' } = process.env;
  if (named === '') return 'https://login.microsoftonline.com';
  const url = URL.parse(named);
  if (url === null || url.protocol !== 'https:' || `${url.origin}/` !== url.href)
    throw new Error(
      'The variable AZURE_AUTHORITY_HOST must be the URL of a host, such as https://login.microsoftonline.us.',
    );
  return url.origin;
};

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
const tokenService = (tenant: string): string => {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/.test(tenant))
    throw new Error('clouda_entra_tenant_id must be the id or the domain of a tenant.');
  return `${authority()}/${tenant}/oauth2/v2.0/token`;
};

const clientToken = async (context: AuthorizeContext, scope: string): Promise<ExpiringToken> => {
  const { settings, credential } = context;
  const given = (name: string): string => required(textSetting(settings, name), name);
  const { clouda_entra_client_secret: secret } = credential;
  const url = tokenService(given('clouda_entra_tenant_id'));
  const form = {
    grant_type: 'client_credentials',
    client_id: given('clouda_entra_client_id'),
    client_secret: required(secret, 'clouda_entra_client_secret'),
    scope,
  };
  return await requestToken(context, formRequest(url, form));
};

/** https://learn.microsoft.com/entra/workload-id/workload-identity-federation. The platform sets these variables. */
const workloadToken = async (context: AuthorizeContext, scope: string): Promise<ExpiringToken> => {
  const { AZURE_FEDERATED_TOKEN_FILE, AZURE_TENANT_ID, AZURE_CLIENT_ID } = process.env;
  const given = (name: string, fallback: string | undefined): string =>
    required(textSetting(context.settings, name) ?? fallback, name);
  const file = required(AZURE_FEDERATED_TOKEN_FILE, 'The variable AZURE_FEDERATED_TOKEN_FILE');
  const assertion = await readFileOrPipe(file, { waitMs: 0 }).catch((error: unknown) => {
    throw new Error(`The file named by AZURE_FEDERATED_TOKEN_FILE cannot be read: ${fileError(error)}.`);
  });
  const url = tokenService(given('clouda_entra_tenant_id', AZURE_TENANT_ID));
  const form = {
    grant_type: 'client_credentials',
    client_id: given('clouda_entra_client_id', AZURE_CLIENT_ID),
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion.toString('utf8').trim(),
    scope,
  };
  return await requestToken(context, formRequest(url, form));
};

/**
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. The service answers 410 for
 * about a minute while it is updated.
 */
const managedToken = (context: AuthorizeContext, scope: string): Promise<ExpiringToken> => {
  const client = textSetting(context.settings, 'clouda_managed_client_id');
  const query = new URLSearchParams({
    'api-version': '2018-02-01',
    resource: scope.replace(/\/\.default$/, ''),
    ...(client === undefined ? {} : { client_id: client }),
  });
  const request: UpstreamRequest = {
    method: 'GET',
    origin: 'http://169.254.169.254',
    path: `/metadata/identity/oauth2/token?${query}`,
    headers: ['Metadata', 'true'],
    body: { kind: 'none' },
  };
  return requestToken(context, request, (status) => status === 410);
};

/** Obtains a token of Microsoft Entra ID for each kind of identity, for a scope such as `https://…/.default`. */
export const entraToken: Readonly<
  Record<'entra' | 'managed' | 'workload', (context: AuthorizeContext, scope: string) => Promise<ExpiringToken>>
> = { entra: clientToken, managed: managedToken, workload: workloadToken };
