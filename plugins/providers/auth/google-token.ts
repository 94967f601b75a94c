import { type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { readPrivateKey } from './private-key.ts';
import { formRequest, requestToken } from './request-token.ts';

/** The fields of a service account's key file that are used. */
export interface ServiceAccount {
  readonly email: string;
  readonly privateKey: string;
  readonly keyId?: string;
  readonly projectId?: string;
}

/**
 * Google's token service. A key file also names one, in `token_uri`, but that is ignored: whoever wrote that member would receive
 * a signed statement of the account.
 */
const tokenService = 'https://oauth2.googleapis.com/token';
const cloudScope = 'https://www.googleapis.com/auth/cloud-platform';
const lifeS = 3600;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Parses the JSON of a service account's key file. Returns undefined if it is not one. */
export const parseServiceAccount = (json: string): ServiceAccount | undefined => {
  const file = parseObject(json) ?? {};
  const [email, privateKey] = [text(file.client_email), text(file.private_key)];
  if (email === undefined || privateKey === undefined) return undefined;
  const [keyId, projectId] = [text(file.private_key_id), text(file.project_id)];
  return {
    email,
    privateKey,
    ...(keyId === undefined ? {} : { keyId }),
    ...(projectId === undefined ? {} : { projectId }),
  };
};

const base64url = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const toKey = (privateKey: string): KeyObject => readPrivateKey(privateKey, 'The private_key of the service account');

/** https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
const toAssertion = ({ email, keyId }: ServiceAccount, key: KeyObject, now: number): string => {
  const issuedAt = Math.floor(now / 1000);
  const header = base64url({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) });
  const claims = base64url({
    iss: email,
    scope: cloudScope,
    aud: tokenService,
    iat: issuedAt,
    exp: issuedAt + lifeS,
  });
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), key).toString('base64url');
  return `${header}.${claims}.${signature}`;
};

/** Returns an access token for a service account, which is kept until it expires. */
export const googleToken = (
  context: Pick<AuthorizeContext, 'send' | 'now' | 'cached'>,
  account: ServiceAccount,
): Promise<string> =>
  context.cached('google-token', async () => {
    const assertion = toAssertion(account, toKey(account.privateKey), context.now());
    const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return await requestToken(context, formRequest(tokenService, { grant_type: grantType, assertion }));
  });
