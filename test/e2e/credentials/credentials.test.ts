import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let before: number;

const secret = 'the-operators-own-secret';
const serviceKey = 'service-key-of-a-team';

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  gateway = await startGateway({
    files: {
      'gateway.json': {
        auth: { keys: [{ id: 'team', key: '${env:SERVICE_KEY}' }] },
        providers: {
          saved: {
            provider: 'openai',
            credential: { api_key: '${env:SAVED_KEY}' },
            settings: { custom_host: `${upstream.origin}/v1` },
          },
        },
        virtual_keys: {
          vault: {
            provider: 'openai',
            credential: { api_key: '${env:SAVED_KEY}' },
            settings: { custom_host: `${upstream.origin}/v1` },
          },
        },
      },
    },
    env: { SAVED_KEY: secret, SERVICE_KEY: serviceKey },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  before = upstream.requests.length;
});

const routes = [
  ['POST', '/chat/completions'],
  ['POST', '/messages'],
  ['POST', '/embeddings'],
  ['GET', '/models'],
  ['PUT', '/anything/at/all'],
] as const;

const call = (method: string, path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method,
    headers: { 'x-gw-api-key': serviceKey, 'content-type': 'application/json', ...headers },
    ...(method === 'GET'
      ? {}
      : {
          body: JSON.stringify({ model: 'm', max_tokens: 5, input: 'x', messages: [{ role: 'user', content: 'hi' }] }),
        }),
  });

describe.each(routes)('%s %s', (method, path) => {
  it('refuses a reference in a header config', async () => {
    const config = JSON.stringify({
      provider: 'openai',
      api_key: '${env:SAVED_KEY}',
      custom_host: `${upstream.origin}/v1`,
    });
    const answer = await call(method, path, { 'x-gw-config': config });
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).toContain('reference-not-allowed');
    expect(text).not.toContain(secret);
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    ['a saved provider', { 'x-gw-provider': '@saved' }],
    ['a virtual key', { 'x-gw-virtual-key': 'vault' }],
    ['a config that names a saved provider', { 'x-gw-config': '{"provider":"@saved"}' }],
  ])('refuses %s together with a host of the caller', async (_, headers) => {
    const answer = await call(method, path, { ...headers, 'x-gw-custom-host': upstream.origin });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('credential-origin-mismatch');
    expect(upstream.requests.length).toBe(before);
  });

  it('refuses a header config that sets its own host for a saved credential', async () => {
    const answer = await call(method, path, {
      'x-gw-config': JSON.stringify({ provider: '@saved', custom_host: upstream.origin }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('credential-origin-mismatch');
    expect(upstream.requests.length).toBe(before);
  });

  it('refuses a caller without a service key or with a wrong one', async () => {
    for (const key of ['', 'service-key-of-a-tea', 'x'.repeat(64)]) {
      const answer = await call(method, path, { 'x-gw-api-key': key, 'x-gw-provider': '@saved' });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain(serviceKey);
    }
    expect(upstream.requests.length).toBe(before);
  });
});

describe('a saved credential', () => {
  it.each([
    ['through a saved provider', { 'x-gw-provider': '@saved' }],
    ['through a virtual key', { 'x-gw-virtual-key': 'vault' }],
    ['through a config', { 'x-gw-config': '{"provider":"@saved"}' }],
  ])('is sent to its own host %s, and the service key is not forwarded', async (_, headers) => {
    const answer = await call('POST', '/chat/completions', headers);
    expect(answer.status).toBe(200);
    const head = upstream.requests.at(-1)?.head ?? '';
    expect(head).toMatch(new RegExp(`authorization: Bearer ${secret}`, 'i'));
    expect(head).not.toContain(serviceKey);
  });

  it('is never printed', () => {
    expect(gateway.printed()).not.toContain(secret);
    expect(gateway.printed()).not.toContain(serviceKey);
  });
});

describe('a host that the operator does not trust', () => {
  it.each([
    'http://10.0.0.1/v1',
    'http://169.254.169.254/latest',
    'http://[::1]:9/v1',
    'http://0x7f000001/v1',
    'http://metadata.google.internal/v1',
    'file:///etc/passwd',
  ])('is refused before anything is sent: %s', async (host) => {
    const answer = await call('POST', '/chat/completions', {
      'x-gw-provider': 'openai',
      authorization: 'Bearer mine',
      'x-gw-custom-host': host,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.json()).toMatchObject({ error: { code: expect.stringMatching(/-not-allowed$/) } });
  });
});
