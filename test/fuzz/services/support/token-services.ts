import { generateKeyPairSync } from 'node:crypto';
import { assumeRole } from '../../../../plugins/providers/auth/assume-role.ts';
import { entraToken } from '../../../../plugins/providers/auth/entra-token.ts';
import { googleToken } from '../../../../plugins/providers/auth/google-token.ts';
import { ibmToken } from '../../../../plugins/providers/auth/ibm-token.ts';
import type { AuthorizeContext, Credential } from '../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** A service that returns the token with which a target authenticates. */
export interface TokenService {
  readonly name: string;
  /** The file in `plugins/providers/auth` that calls it. */
  readonly file: string;
  readonly credential?: Credential;
  readonly settings?: JsonObject;
  /** A good answer, as JSON or as the texts of XML elements. */
  readonly good: JsonObject;
  readonly isXml?: true;
  /** Returns all texts that a request would have in its headers. */
  ask(context: AuthorizeContext): Promise<readonly string[]>;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  email: 'caller@acme.iam.gserviceaccount.com',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

const scope = 'https://cognitiveservices.azure.com/.default';

/** Caches a token as the Azure providers do. */
const kept = async (context: AuthorizeContext, mode: keyof typeof entraToken): Promise<readonly string[]> => [
  await context.cached(mode, () => entraToken[mode](context, scope)),
];

/** Every token service that is called with a target's credential or with the machine's identity. */
export const tokenServices: readonly TokenService[] = [
  {
    name: 'AWS STS',
    file: 'assume-role.ts',
    isXml: true,
    good: {
      AccessKeyId: 'temporary',
      SecretAccessKey: 'temporary-secret',
      SessionToken: 'session',
      Expiration: '2026-01-01T01:00:00Z',
    },
    async ask(context) {
      const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
      const role = { credentials, roleArn: 'arn:aws:iam::1:role/models', region: 'eu-west-1' };
      const { accessKeyId, secretAccessKey, sessionToken = '' } = await assumeRole(context, role);
      return [accessKeyId, secretAccessKey, sessionToken];
    },
  },
  {
    name: 'Microsoft Entra ID',
    file: 'entra-token.ts',
    credential: { clouda_entra_client_secret: 'hush' },
    settings: { clouda_entra_tenant_id: 'acme.example', clouda_entra_client_id: 'client' },
    good: { token_type: 'Bearer', access_token: 'token-1', expires_in: 3599 },
    ask: (context) => kept(context, 'entra'),
  },
  {
    name: "Azure's identity service",
    file: 'entra-token.ts',
    good: { access_token: 'token-1', expires_in: '3599', expires_on: '1767229199', token_type: 'Bearer' },
    ask: (context) => kept(context, 'managed'),
  },
  {
    name: 'Google',
    file: 'google-token.ts',
    good: { access_token: 'token-1', expires_in: 3599, token_type: 'Bearer' },
    ask: async (context) => [await googleToken(context, account)],
  },
  {
    name: 'IBM Cloud',
    file: 'ibm-token.ts',
    good: { access_token: 'token-1', refresh_token: 'none', expires_in: 3600, expiration: 1_767_229_200 },
    ask: async (context) => [await ibmToken(context, 'key')],
  },
];
