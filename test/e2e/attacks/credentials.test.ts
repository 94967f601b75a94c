import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let home: TestUpstream;
let evil: TestUpstream;

const secret = 'the-operators-own-secret';
const serviceKey = 'service-key-of-a-team';
const otherKey = 'service-key-of-others';

beforeAll(async () => {
  [home, evil] = await Promise.all([startUpstream(), startUpstream()]);
  for (const upstream of [home, evil]) upstream.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
  const saved = { provider: 'openai', credential: { api_key: '${env:SAVED}' } };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        auth: {
          keys: [
            { id: 'team', key: '${env:KEY}' },
            { id: 'others', key: '${env:OTHER_KEY}' },
          ],
        },
        configs: 'configs',
        default_config: 'file',
        providers: {
          saved: { ...saved, settings: { custom_host: `${home.origin}/v1` } },
          azure: {
            provider: 'azure-openai',
            credential: { api_key: '${env:SAVED}' },
            settings: { resource_name: 'ours' },
          },
        },
      },
      'configs/file.json': { provider: 'openai', api_key: '${env:SAVED}', custom_host: `${home.origin}/team/v1` },
      'configs/forwarding.json': {
        provider: 'openai',
        custom_host: `${home.origin}/v1`,
        forward_headers: ['Authorization', 'x-api-key', 'api-key', 'X-Gw-Api-Key', 'x-other'],
      },
      'configs/two.json': {
        strategy: { mode: 'fallback' },
        targets: [
          { provider: 'openai', api_key: '${env:SAVED}', custom_host: `${home.origin}/v1` },
          { provider: 'anthropic', api_key: '${env:SECOND}', custom_host: `${evil.origin}/v1` },
        ],
      },
    },
    env: { SAVED: secret, SECOND: 'the-second-secret', KEY: serviceKey, OTHER_KEY: otherKey, GW_LOG: 'requests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([home.close(), evil.close()]);
});

let before: number;
beforeEach(() => {
  before = home.requests.length + evil.requests.length;
});
const sent = (): number => home.requests.length + evil.requests.length - before;

const body = JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] });

const call = (headers: Record<string, string>, path = '/chat/completions'): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'x-gw-api-key': serviceKey, 'content-type': 'application/json', ...headers },
    body,
  });

describe.each(['/chat/completions', '/embeddings', '/anything'])("the operator's credential, on %s,", (path) => {
  it.each<[string, Record<string, string>]>([
    ['a host', { 'x-gw-custom-host': '{evil}/v1' }],
    ['a host for a saved config', { 'x-gw-config': 'file', 'x-gw-custom-host': '{evil}/v1' }],
    ['a host for one target among others', { 'x-gw-config': 'two', 'x-gw-custom-host': '{evil}/v1' }],
    ['a host beside a config in a header', { 'x-gw-config': '{"provider":"@saved"}', 'x-gw-custom-host': '{evil}/v1' }],
    [
      'a host in a config beside the saved provider',
      { 'x-gw-provider': '@saved', 'x-gw-config': '{"custom_host":"{evil}/v1"}' },
    ],
    [
      'a host that its targets inherit',
      { 'x-gw-config': '{"custom_host":"{evil}/v1","strategy":{"mode":"fallback"},"targets":[{"provider":"@saved"}]}' },
    ],
    [
      'a host written twice',
      { 'x-gw-config': '{"custom_host":"{evil}/v1","provider":"@saved","custom_host":"{home}/v1"}' },
    ],
    ['a host with an escaped key', { 'x-gw-config': '{"provider":"@saved","custom\\u005fhost":"{evil}/v1"}' }],
    ['a cloud resource name', { 'x-gw-config': '{"provider":"@azure","resource_name":"evil"}' }],
    ['headers to forward', { 'x-gw-forward-headers': 'authorization, x-api-key, api-key' }],
    [
      'headers to forward to a saved provider',
      { 'x-gw-provider': '@saved', 'x-gw-forward-headers': '["Authorization"]' },
    ],
  ])('is not sent to a place that a request names by %s', async (_, headers) => {
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll('{evil}', evil.origin).replaceAll('{home}', home.origin),
    ]);
    const answer = await call(Object.fromEntries(filled), path);
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).not.toContain(secret);
    expect(sent()).toBe(0);
  });

  it('does not follow the header that names a cloud resource', async () => {
    const answer = await call({ 'x-gw-provider': '@azure', 'x-gw-clouda-resource-name': 'evil' }, path);
    expect(await answer.text()).not.toContain('evil');
    expect(sent()).toBe(0);
  });

  it("is not mixed with the caller's credential", async () => {
    await call({ authorization: 'Bearer callers', 'x-api-key': 'callers', 'api-key': 'callers' }, path);
    const head = home.requests.at(-1)?.head ?? '';
    expect(head).toContain(`Bearer ${secret}`);
    expect(head).not.toContain('callers');
  });

  it('is sent only to its own target, even after another target failed', async () => {
    home.handle((upstream) => upstream.json({ error: { message: 'no' } }, { status: 500 }));
    await call({ 'x-gw-config': 'two' }, path);
    home.handle((upstream) => upstream.json(openaiAnswer({ text: 'hello' })));
    // Anthropic has no embeddings, so that target is skipped.
    if (path === '/embeddings') return;
    const head = evil.requests.at(-1)?.head ?? '';
    expect(head).toContain('x-api-key: the-second-secret');
    expect(head).not.toContain(secret);
  });
});

describe('a request path', () => {
  const ask = async (target: string, method = 'GET'): Promise<string> => {
    const answer = await rawHttp(gateway.origin, { method, path: target, lines: [`x-gw-api-key: ${serviceKey}`] });
    return answer.statusLine;
  };

  it.each([
    '/v1/../admin',
    '/v1/..',
    '/v1/a/../../../other-team',
    '/v1/%2e%2e/admin',
    '/v1/.%2E/admin',
    '/v1/..%2f..%2fadmin',
    '/v1/a%2f..%5cadmin',
    '/v1/a\\..\\admin',
    '/v1/..;/admin',
    '/v1/proxy/../admin',
    '/v1/x#/../y',
    '/v1/chat/completions#',
    '//v1/files',
    '/V1/models',
  ])('is answered 404 and reaches no provider if it leads elsewhere: %s', async (target) => {
    expect(await ask(target)).toContain(' 404 ');
    expect(sent()).toBe(0);
  });

  it.each([
    '//evil.example',
    '/@evil.example',
    '/http://evil.example/',
    '/?',
    '/a..b/...',
    '/x?y=../..',
    '/ours.openai.azure.com/x',
  ])('is forwarded unchanged to the saved provider: /v1%s', async (target) => {
    expect(await ask(`/v1${target}`)).toContain(' 200 ');
    expect(home.requests.at(-1)?.head).toMatch(/^GET \/team\/v1\//);
    expect(home.requests.at(-1)?.head.split(' ', 2)[1]).toBe(`/team/v1${target}`);
  });

  it('cannot choose the host that is called', async () => {
    const before = [home.requests.length, evil.requests.length] as const;
    expect(await ask(`${evil.origin}/v1/files`)).toContain(' 200 ');
    expect([home.requests.length, evil.requests.length]).toEqual([before[0] + 1, before[1]]);
  });

  it('cannot make the provider return the credential', async () => {
    expect(await ask('/v1/models', 'TRACE')).toContain(' 404 ');
    expect(sent()).toBe(0);
  });

  it('cannot open a tunnel', async () => {
    const { accepted } = evil;
    const { hostname, port } = new URL(gateway.origin);
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(`CONNECT ${new URL(evil.origin).host} HTTP/1.1\r\nhost: localhost\r\n\r\n`),
      );
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(received).not.toContain(' 200 ');
    expect(evil.accepted).toBe(accepted);
  });
});

describe('a service key', () => {
  it.each<[string, Record<string, string>]>([
    ['in its own header', {}],
    [
      'in every header that carries keys',
      { authorization: `Bearer ${serviceKey}`, 'x-api-key': serviceKey, 'api-key': serviceKey },
    ],
    ['in a header that is forwarded', { 'x-other': `key=${serviceKey}` }],
    ['of another caller, as a credential', { authorization: `Bearer ${otherKey}` }],
    ['of another caller, beside a credential', { authorization: 'Bearer own-key', 'x-api-key': otherKey }],
    ['of another caller, before a credential', { 'api-key': otherKey, authorization: 'Bearer own-key' }],
    ['of another caller, in two headers', { 'x-api-key': otherKey, 'api-key': otherKey }],
  ])('is not forwarded to a provider: %s', async (_, headers) => {
    for (const path of ['/chat/completions', '/anything'])
      for (const config of ['file', 'forwarding']) {
        await (await call({ ...headers, 'x-gw-config': config }, path)).text();
        const head = home.requests.at(-1)?.head ?? '';
        expect(head).not.toContain(serviceKey);
        expect(head).not.toContain(otherKey);
      }
  });

  it.each([serviceKey, otherKey])('is not forwarded in a header of a cloud: %s', async (key) => {
    const from = home.requests.length;
    for (const path of ['/chat/completions', '/anything'])
      for (const name of ['x-gw-clouda-ad-token', 'x-gw-clouda-entra-client-secret']) {
        const own = {
          'x-gw-provider': 'azure-openai',
          'x-gw-clouda-resource-name': 'r',
          'x-gw-clouda-api-version': '1',
        };
        await (await call({ ...own, 'x-gw-custom-host': `${home.origin}/v1`, [name]: key }, path)).text();
      }
    const heads = home.requests.slice(from).map(({ head }) => head);
    expect(heads.join('\n')).not.toContain(key);
  });

  it('is refused in the host that a request names', async () => {
    const own = { authorization: 'Bearer own-key', 'x-gw-provider': 'openai' };
    for (const key of [serviceKey, serviceKey.replace('s', '%73')]) {
      const answer = await call({ ...own, 'x-gw-custom-host': `${home.origin}/${key}/v1` });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('service-key-in-path')]);
    }
    expect(sent()).toBe(0);
  });

  it('does not appear in a trace id or a label', async () => {
    const labels = JSON.stringify({ [serviceKey]: 'a', by: `Bearer ${serviceKey}`, team: 'red' });
    const headers = { 'x-gw-trace-id': `of ${serviceKey}`, 'x-gw-metadata': labels };
    const answer = await call(headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gw-trace-id')).toMatch(/^[\da-f]{32}$/);
    const refused = await call({
      ...headers,
      'x-gw-api-key': 'wrong-service-key',
      'x-gw-trace-id': 'wrong-service-key',
    });
    expect([refused.status, refused.headers.get('x-gw-trace-id')]).toEqual([
      401,
      expect.stringMatching(/^[\da-f]{32}$/),
    ]);
  });

  it.each(['authorization', 'x-api-key'])('is not forwarded to a provider in %s', async (name) => {
    for (const path of ['/chat/completions', '/anything']) {
      const answer = await fetch(`${gateway.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          [name]: name === 'authorization' ? `Bearer ${serviceKey}` : serviceKey,
          'x-gw-config': 'forwarding',
          'x-gw-forward-headers': name,
        },
        body,
      });
      await answer.text();
      expect(
        home.requests
          .slice(before)
          .map(({ head }) => head)
          .join(),
      ).not.toContain(serviceKey);
    }
  });
});

it('prints no secret, and shows none on a page of the gateway', async () => {
  const pages = await Promise.all(
    ['/readyz', '/livez', '/'].map(async (page) => (await fetch(gateway.origin + page)).text()),
  );
  for (const text of [gateway.printed(), ...pages])
    for (const hidden of [secret, 'the-second-secret', serviceKey, otherKey]) expect(text).not.toContain(hidden);
  expect(gateway.records().length).toBeGreaterThan(20);
});
