import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { callControl, chatUpstream, control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
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
  for (const said of [
    'A token was refused: The token cannot be verified: "exp" claim timestamp check failed',
    'A token was refused: No organisation accepts the issuer and audience of the token.',
    'Tokens cannot be verified: The JWKS has no list "keys" of at most 1000 objects.',
  ])
    expect(lines.filter((line) => line === `gw: ${said}`)).toHaveLength(1);
  for (const token of [good, expired, foreign]) expect(gateway.printed()).not.toContain(token.split('.')[2]);
});

it("a provider's token that a caller sends beside its service key is not reported as refused", async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const upstream = await chatUpstream();
  const gateway = await serveStore();
  const { key } = await makeKey(gateway, 'one');
  const token = await new SignJWT({ iss: issuer, aud: 'cloud' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(privateKey);
  const call = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-api-key': key, ...headers },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
    });
  const custom_host = `${upstream.origin}/v1`;
  const config = JSON.stringify({ provider: 'openai', api_key: token, custom_host });
  const own = { 'x-gw-provider': 'openai', 'x-gw-custom-host': custom_host, authorization: `Bearer ${token}` };
  for (const headers of [own, { 'x-gw-config': config }]) expect((await call(headers)).status).toBe(200);
  expect(upstream.requests.map((request) => request.header('authorization'))).toEqual(Array(2).fill(`Bearer ${token}`));
  expect(gateway.printed()).not.toContain('refused');
  await call({ 'x-gw-api-key': token });
  await expect.poll(() => gateway.printed()).toContain('gw: A token was refused: ');
});
