import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const serviceKey = 'service-key-of-a-team';
const callersKey = 'Bearer key-of-the-caller';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let before: number;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  const forwarding = { provider: 'openai', custom_host: `${upstream.origin}/v1`, forward_headers: ['Authorization'] };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        auth: { keys: [{ id: 'team', key: '${env:SERVICE_KEY}' }] },
        configs: 'configs',
        providers: { saved: { provider: 'openai', credential: { api_key: '${env:SAVED_KEY}' } } },
      },
      'configs/forwarding.json': forwarding,
      'configs/secured.json': {
        strategy: { mode: 'fallback' },
        targets: [
          forwarding,
          { provider: 'openai', api_key: '${env:SAVED_KEY}', custom_host: `${upstream.origin}/v1` },
        ],
      },
    },
    env: { SERVICE_KEY: serviceKey, SAVED_KEY: 'key-of-the-operator' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  before = upstream.requests.length;
});

const call = async (headers: Record<string, string>, path = '/chat/completions') => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  return { status: answer.status, body: await answer.json() };
};

const paths = ['/chat/completions', '/messages', '/assistants'];

describe.each(paths)('a target of %s that forwards the header Authorization', (path) => {
  it("is called with the caller's credential", async () => {
    const headers = { 'x-gw-config': 'forwarding', 'x-gw-api-key': serviceKey, authorization: callersKey };
    expect(await call(headers, path)).toMatchObject({ status: 200 });
    expect(upstream.requests.at(-1)?.header('authorization')).toBe(callersKey);
  });

  it.each([
    ['alone', {}],
    ['beside x-gw-api-key', { 'x-gw-api-key': serviceKey }],
  ])('is not called with a service key in that header %s', async (_, headers) => {
    const authorization = `Bearer ${serviceKey}`;
    expect(await call({ 'x-gw-config': 'forwarding', authorization, ...headers }, path)).toMatchObject({
      status: 400,
      body: { error: { code: 'service-key-not-forwarded', message: expect.stringContaining('x-gw-api-key') } },
    });
    expect(upstream.requests.length).toBe(before);
  });
});

describe('a service key in the header Authorization', () => {
  const authorization = `Bearer ${serviceKey}`;

  it('is not forwarded even if a caller requests it', async () => {
    const config = JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: upstream.origin });
    const asked = { authorization, 'x-gw-config': config, 'x-gw-forward-headers': 'Authorization' };
    for (const path of paths)
      expect(await call(asked, path)).toMatchObject({
        status: 400,
        body: { error: { code: 'service-key-not-forwarded' } },
      });
    expect(upstream.requests.length).toBe(before);
  });

  it('lets a fallback continue to a target that forwards nothing', async () => {
    expect(await call({ 'x-gw-config': 'secured', authorization })).toMatchObject({ status: 200 });
    expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer key-of-the-operator');
  });

  it('admits the caller if it is not forwarded', async () => {
    const config = JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: upstream.origin });
    expect(await call({ authorization, 'x-gw-config': config })).toMatchObject({ status: 200 });
    expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer own');
  });
});

describe('headers of a caller beside a saved provider', () => {
  it.each([
    ['x-gw-forward-headers', { 'x-gw-provider': '@saved', 'x-gw-forward-headers': 'x-team' }],
    ['forward_headers of its config', { 'x-gw-config': '{"provider":"@saved","forward_headers":["x-team"]}' }],
    ['forward_headers of its config', { 'x-gw-config': '{"forward_headers":["x-team"]}', 'x-gw-provider': '@saved' }],
  ])('are refused in %s', async (_, headers) => {
    const { status, body } = await call({ 'x-gw-api-key': serviceKey, ...headers });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('credential-origin-mismatch');
    expect(upstream.requests.length).toBe(before);
  });
});

describe('a config in a header', () => {
  it('is refused if it would send a service key to a provider', async () => {
    const config = { provider: 'openai', api_key: serviceKey, custom_host: `${upstream.origin}/v1` };
    const headers = { 'x-gw-api-key': serviceKey, 'x-gw-config': JSON.stringify(config) };
    for (const _ of ['compiled anew', 'asked for again'])
      expect(await call(headers)).toMatchObject({ status: 400, body: { error: { code: 'service-key-in-config' } } });
    expect(upstream.requests.length).toBe(before);
  });
});
