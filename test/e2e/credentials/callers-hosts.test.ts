import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const secret = 'secret-of-the-operator';

/** Every header that is sent beside the body. None of them reveals anything about the owner. */
const publicHeaders = [
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'user-agent',
];

describe('a target without a credential at a host that the caller names', () => {
  let owners: TestUpstream;
  let callers: TestUpstream;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    const answer = openaiAnswer({ text: 'Hello!' });
    owners = await startUpstream((call) => call.json(answer));
    callers = await startUpstream((call) => call.json(answer));
    // A path can contain a secret too.
    const custom_host = `${owners.origin}/${secret}/v1`;
    const account = { llmv_organization: secret, llmv_project: secret };
    gateway = await startGateway({
      files: {
        'gateway.json': {
          configs: 'configs',
          auth: { keys: [{ id: 'team', key: '${env:SERVICE_KEY}' }] },
          providers: {
            local: { provider: 'ollama', settings: { custom_host } },
            account: { provider: 'openai', settings: { custom_host, ...account } },
            paid: { provider: 'openai', credential: { api_key: '${env:SAVED_KEY}' } },
          },
          guardrails: { checked: { contains: { operator: 'none', words: [secret] }, deny: true } },
        },
        'configs/saved.json': { provider: '@local', forward_headers: ['x-trace'], input_guardrails: ['checked'] },
        'configs/inline.json': { provider: 'ollama', custom_host },
        'configs/account.json': { provider: '@account' },
        'configs/inline-account.json': {
          ...{ provider: 'openai', custom_host, forward_headers: ['authorization'] },
          ...account,
        },
      },
      env: { SERVICE_KEY: `${secret}-service-key`, SAVED_KEY: `${secret}-saved-key` },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([owners.close(), callers.close()]);
  });

  const ask = async (config: string | object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gw-api-key': `${secret}-service-key`,
        'x-gw-config': typeof config === 'string' ? config : JSON.stringify(config),
        ...headers,
      },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const elsewhere = () => ({ 'x-gw-custom-host': `${callers.origin}/v1` });

  it.each<[string, string | object]>([
    ['a saved provider', 'saved'],
    ['a target in a config file', 'inline'],
    ["a saved provider in the caller's config", { provider: '@local' }],
  ])('receives nothing of the owner if it is %s', async (_, config) => {
    const before = callers.requests.length;
    expect(await ask(config, elsewhere())).toMatchObject({ status: 200 });
    expect(callers.requests.length).toBe(before + 1);
    const request = callers.requests.at(-1);
    const names = (request?.rawHeaders ?? []).filter((_name, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(names.filter((name) => !publicHeaders.includes(name))).toEqual([]);
    expect(request?.path).toBe('/v1/chat/completions');
    expect(JSON.stringify([request?.rawHeaders, request?.body.toString()])).not.toContain(secret);
  });

  it.each<[string, string | object]>([
    ['a saved provider', 'account'],
    ['a target in a config file', 'inline-account'],
    ["a saved provider in the caller's config", { provider: '@account' }],
  ])('is refused if its settings name the account of the owner, and it is %s', async (_, config) => {
    const before = callers.requests.length;
    const own = { authorization: 'Bearer own' };
    expect(await ask(config, { ...own, ...elsewhere() })).toMatchObject({
      status: 400,
      text: expect.stringContaining('credential-origin-mismatch'),
    });
    expect(callers.requests.length).toBe(before);
    expect((await ask(config, own)).status).toBe(200);
    expect(owners.requests.at(-1)?.header('openai-organization')).toBe(secret);
  });

  it('is called if the account belongs to the caller', async () => {
    const config = { provider: 'openai', api_key: 'own', llmv_organization: 'own-organisation' };
    expect(await ask(config, elsewhere())).toMatchObject({ status: 200 });
    expect(callers.requests.at(-1)?.header('openai-organization')).toBe('own-organisation');
  });
});
