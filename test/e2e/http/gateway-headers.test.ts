import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { accountHeaders } from '../../../plugins/control/work/provider-requests/account.ts';
import { knownHeaders } from '../../../runtime/http/headers/known-headers.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let open: GatewayProcess;
let lenient: GatewayProcess;
let stored: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  const gatewayFile = { configs: 'configs', default_config: 'all' };
  const config = { provider: 'openai', api_key: '${env:SAVED_KEY}', custom_host: `${upstream.origin}/v1` };
  const start = (settings: object, args: readonly string[] = []): Promise<GatewayProcess> =>
    startGateway({
      files: { 'gateway.json': { ...gatewayFile, ...settings }, 'configs/all.json': config },
      env: { SAVED_KEY: 'key-of-the-operator', GW_ADMIN_KEY: adminKey },
      args,
    });
  [open, lenient, stored] = await Promise.all([
    start({}),
    start({ unknown_headers: 'ignore' }),
    start({}, ['--store', 'gateway.db']),
  ]);
});
afterAll(async () => {
  await Promise.all([open, lenient, stored].map((gateway) => gateway.stop()));
  await upstream.close();
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

const ask = async (
  gateway: GatewayProcess,
  headers: Readonly<Record<string, string>>,
  endpoint = 'POST /chat/completions',
): Promise<Answer> => {
  const [method = '', path = ''] = endpoint.split(' ');
  const key: Record<string, string> = gateway === stored ? { 'x-gw-api-key': adminKey } : {};
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...key, ...headers },
    ...(method === 'GET'
      ? {}
      : { body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hi!' }] }) }),
  });
  return { status: answer.status, text: await answer.text() };
};

const roads = ['POST /chat/completions', 'POST /messages', 'POST /assistants', 'GET /models', 'GET /files'];

describe("an unknown header with the gateway's prefix", () => {
  it.each(roads)('is refused with the nearest name, and nothing is sent: %s', async (road) => {
    const before = upstream.requests.length;
    for (const gateway of [open, stored]) {
      const { status, text } = await ask(gateway, { 'X-GW-Cache-Force-Refesh': 'true' }, road);
      expect([status, JSON.parse(text).error.message]).toEqual([
        400,
        expect.stringContaining('Did you mean x-gw-cache-force-refresh?'),
      ]);
    }
    expect(upstream.requests.length).toBe(before);
  });

  it('is refused by the control plane after the caller is authenticated', async () => {
    expect(await ask(stored, { 'x-gw-wrokspace': 'main' }, 'GET /configs')).toMatchObject({ status: 400 });
    expect(await ask(stored, { 'x-gw-wrokspace': 'main', 'x-gw-api-key': 'nobody' }, 'GET /configs')).toMatchObject({
      status: 401,
    });
  });

  it.each(roads)('is ignored if the gateway file allows it: %s', async (road) => {
    expect((await ask(lenient, { 'x-gw-confg': 'all', 'x-gw-nothing': 'at all' }, road)).status).toBe(200);
    expect(upstream.requests.at(-1)?.header('x-gw-nothing')).toBeUndefined();
  });

  it('is not one of those that the gateway and its plugins declare', async () => {
    const names = [...knownHeaders(builtinPlugins).names, ...Object.values(accountHeaders)];
    expect(names).toEqual(expect.arrayContaining(['x-gw-config', 'x-gw-provider-model', 'x-gw-span-id']));
    const refused: string[] = [];
    for (const name of names) {
      const { text } = await ask(stored, { [name]: name === 'x-gw-api-key' ? adminKey : 'x' });
      if (text.includes('there is no such header')) refused.push(name);
    }
    expect(refused).toEqual([]);
  });
});

describe('a header that lists checks', () => {
  it.each(['input', 'output'])('is refused, because nothing would run the checks: of the %s', async (side) => {
    const before = upstream.requests.length;
    const checks = '[{"default.contains":{"operator":"none","words":["Hi"]},"deny":true}]';
    for (const gateway of [open, lenient, stored]) {
      const { status, text } = await ask(gateway, { [`X-GW-Default-${side}-Guardrails`]: checks });
      expect([status, JSON.parse(text).error.message]).toEqual([
        400,
        expect.stringContaining(`its checks would not run. Set "${side}_guardrails" in a config.`),
      ]);
    }
    expect(upstream.requests.length).toBe(before);
  });

  it('is ignored if it is empty', async () => {
    expect((await ask(open, { 'x-gw-default-input-guardrails': '' })).status).toBe(200);
  });
});

const flags = ['x-gw-strict-llmv-compliance', 'x-gw-usage', 'x-gw-cache-force-refresh', 'x-gw-debug'];

describe('a header that is a flag', () => {
  it.each(flags)('accepts true or false in any case, and no other value: %s', async (name) => {
    for (const text of ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])
      expect(await ask(open, { [name]: text }), text).toMatchObject({ status: 200 });
    for (const text of ['1', '0', 'yes', 'tru', '']) {
      const { status, text: body } = await ask(open, { [name]: text });
      expect([status, JSON.parse(body).error.message], text).toEqual([
        400,
        expect.stringContaining(`The header ${name} is not valid: it must be true or false.`),
      ]);
    }
  });

  it('treats False like false', async () => {
    const answers = await Promise.all(
      ['false', 'False'].map((text) => ask(open, { 'x-gw-strict-llmv-compliance': text })),
    );
    const [one, other] = answers.map(({ text }) => Object.keys(JSON.parse(text).choices[0].message));
    expect(other).toEqual(one);
  });
});

describe('an empty custom host', () => {
  it.each(roads)('is refused, because the credential would be sent to an unintended host: %s', async (road) => {
    const before = upstream.requests.length;
    for (const text of ['', ' ']) {
      const { status, text: body } = await ask(open, { 'X-GW-Custom-Host': text }, road);
      expect([status, JSON.parse(body).error.message]).toEqual([
        400,
        expect.stringContaining('The header x-gw-custom-host is not valid: it is empty.'),
      ]);
    }
    expect(upstream.requests.length).toBe(before);
  });
});

describe("a provider's header under the gateway's name for it", () => {
  const sent = async (provider: string, headers: Readonly<Record<string, string>>, endpoint?: string) => {
    const config = JSON.stringify({ provider, api_key: 'callers-own-key', custom_host: `${upstream.origin}/v1` });
    await ask(open, { 'x-gw-config': config, ...headers }, endpoint);
    const request = upstream.requests.at(-1);
    return (name: string) => request?.header(name);
  };
  const claude = { 'x-gw-anthropic-beta': 'one', 'x-gw-anthropic-version': '2024-01-01' };

  it.each(['POST /messages', 'GET /files'])(
    "is forwarded if the client speaks the provider's dialect: %s",
    async (endpoint) => {
      const header = await sent('anthropic', { ...claude, 'anthropic-beta': 'other' }, endpoint);
      expect([header('anthropic-beta'), header('anthropic-version')]).toEqual(['one', '2024-01-01']);
      expect(header('x-gw-anthropic-beta')).toBeUndefined();
      const openai = await sent('openai', { 'x-gw-llmv-beta': 'assistants=v2' }, 'POST /chat/completions');
      expect(openai('openai-beta')).toBe('assistants=v2');
    },
  );

  it('is forwarded with a translated request if a config forwards it', async () => {
    expect((await sent('anthropic', claude))('anthropic-beta')).toBeUndefined();
    const header = await sent('anthropic', { ...claude, 'x-gw-forward-headers': 'anthropic-beta' });
    expect([header('anthropic-beta'), header('anthropic-version')]).toEqual(['one', '2023-06-01']);
    expect((await sent('openai', claude))('anthropic-beta')).toBeUndefined();
  });
});
