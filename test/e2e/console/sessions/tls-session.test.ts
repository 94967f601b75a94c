import { expect, it } from 'vitest';
import { adminKey, chatUpstream } from '../../../support/gateways/stored-gateway.ts';
import { startTlsGateway } from '../../tls/support/tls-gateway.ts';
import { browserCall, ownPage } from '../support/browser-call.ts';

it('gives a session over TLS a cookie that is bound to the host and to secure connections', async () => {
  const { gateway } = await startTlsGateway({ args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
  const origin = gateway.origin;
  const host = { ...ownPage(origin), host: 'gateway.example', origin: 'https://gateway.example' };
  const begun = await browserCall(origin, 'POST /console/session', { headers: host, body: { key: adminKey } });
  expect(begun.status).toBe(200);
  expect(begun.headers['set-cookie']?.[0]).toMatch(
    /^__Host-gw=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  );
  const headers = { ...host, cookie: begun.cookie };
  expect((await browserCall(origin, 'GET /v1/caller', { headers })).status).toBe(200);
  const plain = { ...headers, origin: 'http://gateway.example' };
  expect((await browserCall(origin, 'POST /v1/workspaces', { headers: plain, body: {} })).status).toBe(403);
  const other = { ...headers, cookie: begun.cookie.replace('__Host-gw', 'gw-console') };
  expect((await browserCall(origin, 'GET /v1/caller', { headers: other })).status).toBe(401);
});

it('does not forward the cookie of a session with a request that has a key', async () => {
  const upstream = await chatUpstream();
  const { gateway } = await startTlsGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey },
  });
  const origin = gateway.origin;
  await browserCall(origin, 'POST /v1/chat/completions', {
    headers: {
      'x-gw-api-key': adminKey,
      'x-gw-provider': 'openai',
      'x-gw-custom-host': `${upstream.origin}/v1`,
      authorization: 'Bearer sk-own',
      cookie: ['a=1', `__Host-gw=${'x'.repeat(43)}; b=2`],
    },
    body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  });
  expect(upstream.requests).toHaveLength(1);
  expect(upstream.requests.map(({ head }) => head).join('')).not.toContain('__Host-gw');
});
