import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';
import type { Story } from './story.ts';

/** Sends tokens of an identity provider, some of which are refused. The caller must close the returned server. */
export const callWithTokens = async ({ done, tried, secrets }: Story): Promise<TestUpstream> => {
  const [pair, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
  const server = await startUpstream((call) => call.json({ keys: [jwk] }));
  const jwt = {
    ...{ issuer: 'https://idp.test/', audience: 'gateway', jwks_url: `${server.origin}/keys` },
    ...{ default_scopes: ['completions.write', 'configs.list'], claims: { user: 'sub' } },
  };
  await done('PUT /organisation', { body: { settings: { jwt } } });
  const sign = (name: string, key: Parameters<SignJWT['sign']>[0], expires: string): Promise<string> =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(jwt.issuer)
      .setAudience(jwt.audience)
      .setSubject('ann')
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key)
      .then((token) => {
        // All tokens have the same beginning, which is not secret.
        secrets.add(name, token.split('.')[2] ?? '');
        return token;
      });
  const tokens = [
    await sign('a token', pair.privateKey, '1h'),
    await sign('an expired token', pair.privateKey, '-1h'),
    await sign('a forged token', other.privateKey, '1h'),
  ];
  for (const token of tokens)
    for (const request of ['GET /configs', 'GET /organisation', 'POST /chat/completions']) {
      const body = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };
      const headers = { authorization: `Bearer ${token}` };
      await tried(request, { key: '', headers, ...(request.startsWith('POST') ? { body } : {}) });
    }
  return server;
};
