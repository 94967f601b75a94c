import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let provider: TestUpstream;
/** The service that the checks call. */
let service: TestUpstream;
/** A machine that the operator does not list as trusted. */
let inside: TestUpstream;

const key = 'key-of-the-service';

const target = (checks: object): object => ({
  provider: 'openai',
  api_key: '${env:OPENAI_API_KEY}',
  custom_host: `${provider.origin}/v1`,
  ...checks,
});

beforeAll(async () => {
  [provider, service, inside] = await Promise.all([startUpstream(), startUpstream(), startUpstream()]);
  const before = (check: object, deny = true): object => target({ input_guardrails: [{ ...check, deny }] });
  const after = (check: object): object => target({ output_guardrails: [{ ...check, deny: true }] });
  const webhook = {
    webhookURL: `${service.origin}/judge?team=a`,
    headers: { 'x-team': 'red' },
    secretHeaders: { authorization: '${env:WEBHOOK_KEY}' },
  };
  gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', auth: { keys: [{ id: 'one', key: '${env:ONE}', tenant: 'one' }] } },
      'configs/webhook.json': before({ webhook }),
      'configs/webhook-after.json': after({ 'default.webhook': webhook }),
      'configs/webhook-inside.json': before({ webhook: { webhookURL: `${inside.origin}/judge`, failOnError: true } }),
      'configs/hasty.json': before({ webhook: { ...webhook, timeout: 1, failOnError: true } }),
      'configs/log.json': before({ log: { logURL: `${service.origin}/log` } }),
      'configs/urls.json': after({ validUrls: {} }),
      'configs/dns.json': after({ validUrls: { onlyDNS: true, resolverURL: `${service.origin}/dns-query` } }),
      'configs/images.json': before({ inlineImageUrls: { providers: ['openai'], failOnError: true } }),
      'configs/jwt.json': before({
        jwt: { jwksUri: `${service.origin}/jwks`, headerKey: 'X-Token', failOnError: true },
      }),
      'configs/introspect.json': before({
        jwt: { introspectEndpoint: `${service.origin}/introspect`, headerKey: 'x-token', failOnError: true },
      }),
    },
    env: {
      OPENAI_API_KEY: 'key-of-the-provider',
      WEBHOOK_KEY: 'Bearer key-of-the-webhook',
      ONE: key,
      GW_TRUSTED_HOSTS: `127.0.0.1:${provider.port},127.0.0.1:${service.port}`,
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([provider.close(), service.close(), inside.close()]);
});

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: unknown;
  /** The text of the provider's answer. */
  readonly said?: string;
}

const ask = async (config: string, { headers = {}, content = 'Hi there.', said = 'Hello.' }: Asked = {}) => {
  provider.handle((call) => call.json(openaiAnswer({ text: said })));
  const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-config': config, ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
};

/** The requests that a server receives while something runs. */
const during = async <Result>(server: TestUpstream, run: () => Promise<Result>) => {
  const before = server.requests.length;
  const result = await run();
  return { result, requests: server.requests.slice(before) };
};

describe('a webhook', () => {
  it('receives the request, with its secrets from the environment, and lets it through', async () => {
    service.handle((call) => call.json({ verdict: true, data: { score: 1 } }));
    const { result, requests } = await during(service, () => ask('webhook'));
    expect(result.status).toBe(200);
    expect(result.json.hook_results.before_request_hooks[0].checks[0]).toMatchObject({
      id: 'default.webhook',
      verdict: true,
      data: { responseData: { score: 1 } },
    });
    expect(result.text).not.toContain('key-of-the-webhook');
    expect(requests.map(({ method, path }) => [method, path])).toEqual([['POST', '/judge?team=a']]);
    expect([requests[0]?.header('authorization'), requests[0]?.header('x-team')]).toEqual([
      'Bearer key-of-the-webhook',
      'red',
    ]);
    expect(requests[0]?.json()).toMatchObject({
      request: { text: 'Hi there.', json: { model: 'm' } },
      provider: 'openai',
      requestType: 'chatComplete',
      eventType: 'beforeRequestHook',
    });
  });

  it('denies a request, which then is not sent to the provider', async () => {
    service.handle((call) => call.json({ verdict: false }));
    const { result, requests } = await during(provider, () => ask('webhook'));
    expect([result.status, requests.length]).toEqual([446, 0]);
  });

  it('replaces the request and the answer', async () => {
    const messages = [{ role: 'user', content: 'Hello, dear.' }];
    service.handle((call) =>
      call.json({ verdict: true, transformedData: { request: { json: { model: 'n', messages } } } }),
    );
    const { requests } = await during(provider, () => ask('webhook'));
    expect(requests[0]?.json()).toMatchObject({ model: 'n', messages });
    service.handle((call) =>
      call.json({ verdict: true, transformedData: { response: { json: openaiAnswer({ text: 'Rewritten.' }) } } }),
    );
    const { json } = await ask('webhook-after');
    expect(json.choices[0].message.content).toBe('Rewritten.');
  });

  it.each<[string, UpstreamHandler]>([
    ['answers 500', (call) => call.json({ verdict: false }, { status: 500 })],
    ['breaks off its answer', (call) => call.cut()],
    ['sends a body that is not JSON', (call) => call.answer({ body: 'ok' })],
    ['sends no verdict', (call) => call.json({ ok: true })],
    ['redirects the gateway', (call) => call.answer({ status: 307, headers: { location: `${inside.origin}/judge` } })],
  ])('that %s fails, and the request continues', async (_what, handler) => {
    service.handle(handler);
    const { result, requests } = await during(inside, () => ask('webhook'));
    expect(result.status).toBe(200);
    expect(result.json.hook_results.before_request_hooks[0].checks[0].error.message).toMatch(/webhook/);
    expect(requests).toEqual([]);
  });

  it('that takes longer than its time-out fails', async () => {
    service.handle(() => undefined);
    const { status, json } = await ask('hasty');
    expect(status).toBe(446);
    expect(json.hook_results.before_request_hooks[0].checks[0].error.message).toMatch(/1 ms/);
  });

  it('is not called on a machine that is not listed, whoever names it', async () => {
    inside.handle((call) => call.json({ verdict: true }));
    const config = JSON.stringify({
      provider: 'openai',
      api_key: 'k',
      custom_host: service.origin,
      input_guardrails: [{ webhook: { webhookURL: `${inside.origin}/judge`, failOnError: true }, deny: true }],
    });
    for (const each of ['webhook-inside', config]) {
      const { result, requests } = await during(inside, () => ask(each));
      expect([result.status, requests]).toEqual([446, []]);
    }
  });
});

it('sends the request to a log service, and the request continues', async () => {
  service.handle((call) => call.answer({ status: 202 }));
  const { result, requests } = await during(service, () => ask('log'));
  expect(result.status).toBe(200);
  expect(requests[0]?.json()).toMatchObject({ request: { text: 'Hi there.' }, eventType: 'beforeRequestHook' });
});

describe('the URLs of an answer', () => {
  it('are checked with HEAD requests', async () => {
    service.handle((call) => call.answer({ status: call.request.path === '/there' ? 200 : 404 }));
    const good = await during(service, () => ask('urls', { said: `See ${service.origin}/there.` }));
    expect([good.result.status, good.requests.map(({ method, path }) => [method, path])]).toEqual([
      200,
      [['HEAD', '/there']],
    ]);
    const bad = await ask('urls', { said: `See ${service.origin}/there and ${service.origin}/gone.` });
    expect(bad.status).toBe(446);
    expect(bad.text).toContain('/gone');
  });

  it('are not requested from an internal machine, even if the config is the operator’s', async () => {
    inside.handle((call) => call.answer({ status: 200 }));
    const { result, requests } = await during(inside, () => ask('urls', { said: `See ${inside.origin}/admin.` }));
    expect([result.status, requests]).toEqual([446, []]);
  });

  it('are accepted only if a resolver knows their hosts', async () => {
    service.handle((call) => {
      const isKnown = call.request.path.includes('name=known.test');
      call.json(isKnown ? { Status: 0, Answer: [{ type: 1, data: '192.0.2.1' }] } : { Status: 3 });
    });
    expect((await ask('dns', { said: 'https://known.test/x' })).status).toBe(200);
    expect((await ask('dns', { said: 'https://unknown.test/x' })).status).toBe(446);
  });
});

describe('the images of a request', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]);
  const show = (origin: string): object[] => [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: `${origin}/a.png` } },
  ];

  it('are inserted into it', async () => {
    service.handle((call) => call.answer({ headers: { 'content-type': 'image/png' }, body: png }));
    const { result, requests } = await during(provider, () => ask('images', { content: show(service.origin) }));
    expect(result.status).toBe(200);
    expect(requests[0]?.json().messages[0].content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
    ]);
  });

  it('are not fetched from an internal machine', async () => {
    inside.handle((call) => call.answer({ headers: { 'content-type': 'image/png' }, body: png }));
    const { result, requests } = await during(inside, () => ask('images', { content: show(inside.origin) }));
    expect([result.status, requests]).toEqual([446, []]);
  });
});

describe('a token', () => {
  it('is verified with the keys of its issuer', async () => {
    const keys = await generateKeyPair('RS256');
    const others = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256' };
    service.handle((call) => call.json({ keys: [jwk] }));
    const token = (by: typeof keys): Promise<string> =>
      new SignJWT({ sub: 'u' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(by.privateKey);
    const good = await token(keys);
    const { result, requests } = await during(service, () => ask('jwt', { headers: { 'x-token': `Bearer ${good}` } }));
    expect([result.status, requests.map(({ method, path }) => [method, path])]).toEqual([200, [['GET', '/jwks']]]);
    expect(result.text).not.toContain(good);
    expect((await ask('jwt', { headers: { 'x-token': await token(others) } })).status).toBe(446);
    expect((await ask('jwt')).status).toBe(446);
  });

  it('is active only if its issuer reports so', async () => {
    service.handle((call) => call.json({ active: call.request.text() === 'token=opaque-1' }));
    expect((await ask('introspect', { headers: { 'x-token': 'opaque-1' } })).status).toBe(200);
    expect((await ask('introspect', { headers: { 'x-token': 'opaque-2' } })).status).toBe(446);
    service.handle((call) => call.answer({ status: 500 }));
    expect((await ask('introspect', { headers: { 'x-token': 'opaque-1' } })).status).toBe(446);
  });
});
