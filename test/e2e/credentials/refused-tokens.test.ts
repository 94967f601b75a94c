import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';

const issuer = 'https://idp.test/';

it('why a token is refused is printed for the operator, once for each reason, and without the token', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }];
  const provider = await startUpstream(({ request, json }) =>
    json(request.path === '/keys' ? { keys } : { page: 'Sign in' }),
  );
  onTestFinished(() => provider.close());
  const gateway = await serveStore();
  const accept = (path: string): Promise<unknown> => {
    const jwt = { issuer, audience: 'gateway', jwks_url: `${provider.origin}${path}` };
    return control(gateway, 'PUT /organisation', {
      body: { settings: { jwt: { ...jwt, default_scopes: ['configs.list'] } } },
    });
  };
  const sign = (audience: string, expires: string): Promise<string> =>
    new SignJWT({ iss: issuer, aud: audience, sub: 'ann' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setExpirationTime(expires)
      .sign(privateKey);
  const good = await sign('gateway', '1h');
  const call = async (token: string): Promise<number> =>
    (await callControl(gateway, 'GET /configs', { key: token })).status;

  await accept('/keys');
  await expect.poll(() => call(good)).toBe(200);
  const [expired, foreign] = [await sign('gateway', '-1h'), await sign('mail', '1h')];
  for (const token of [expired, foreign, expired, foreign]) expect(await call(token)).toBe(401);
  await accept('/sign-in');
  await expect.poll(() => call(good)).toBe(503);
  expect(gateway.printed()).not.toMatch(/The request \w+ failed/);
  const lines = gateway.printed().split('\n');
  for (const why of [
    'The token cannot be verified: "exp" claim timestamp check failed',
    'No organisation accepts the issuer and audience of the token.',
    'The token cannot be verified: The JWKS has no list "keys" of at most 1000 objects.',
  ])
    expect(lines.filter((line) => line === `gw: A token was refused: ${why}`)).toHaveLength(1);
  for (const token of [good, expired, foreign]) expect(gateway.printed()).not.toContain(token.split('.')[2]);
});
