import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let strict: GatewayProcess;
let open: GatewayProcess;
let stored: GatewayProcess;
let accepting: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  const host = `${upstream.origin}/v1`;
  const start = (settings: object, args: readonly string[] = []): Promise<GatewayProcess> =>
    startGateway({
      files: {
        'gateway.json': {
          ...{ configs: 'configs', default_config: 'all' },
          providers: {
            team: { provider: 'openai', credential: { api_key: '${env:SAVED_KEY}' }, settings: { custom_host: host } },
          },
          ...settings,
        },
        'configs/all.json': { provider: '@team' },
        'configs/open.json': { retry: { attempts: 1 } },
      },
      env: { SAVED_KEY: 'key-of-the-operator', GW_ADMIN_KEY: adminKey },
      args,
    });
  const refusing = { unsaved_routing: 'refuse' };
  [strict, open, stored, accepting] = await Promise.all([
    start(refusing),
    start({}),
    start(refusing, ['--store', 'gateway.db']),
    start({ ...refusing, accept: ['portkey'] }),
  ]);
});
afterAll(async () => {
  await Promise.all([strict, open, stored, accepting].map((gateway) => gateway.stop()));
  await upstream.close();
});

const ask = async (gateway: GatewayProcess, headers: Readonly<Record<string, string>>, path = '/chat/completions') => {
  const key: Record<string, string> = gateway === stored ? { 'x-gw-api-key': adminKey } : {};
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key, ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi!' }] }),
  });
  const text = await answer.text();
  return { status: answer.status, error: answer.ok ? undefined : JSON.parse(text).error };
};

const own = { authorization: 'Bearer sk-of-the-caller' };

/** Ways in which a request can bring its own routing, each with the header that is reported. */
const unsaved = (): readonly [string, Readonly<Record<string, string>>][] => [
  ['x-gw-config', { 'x-gw-config': '{"provider":"@team"}' }],
  ['x-gw-config', { 'x-gw-config': '{"provider":"echo"}', 'x-gw-provider': 'openai' }],
  ['x-gw-provider', { 'x-gw-provider': 'openai', ...own, 'x-gw-custom-host': `${upstream.origin}/v1` }],
  ['x-gw-custom-host', { 'x-gw-custom-host': `${upstream.origin}/v1`, ...own }],
  ['x-gw-forward-headers', { 'x-gw-config': 'all', 'x-gw-forward-headers': 'x-team' }],
];

describe('a request that brings its own routing', () => {
  it('is refused on every path if the gateway file says so, and nothing is sent', async () => {
    const before = upstream.requests.length;
    for (const gateway of [strict, stored])
      for (const path of ['/chat/completions', '/messages', '/assistants', '/files'])
        for (const [header, headers] of unsaved()) {
          const message = expect.stringContaining(`the header ${header} names something else.`);
          // The control plane has its own codes.
          const code = gateway === stored && path === '/files' ? 'AB01' : 'unsaved-refused';
          expect(await ask(gateway, headers, path), path).toEqual({
            status: 400,
            error: expect.objectContaining({ code, type: 'invalid_request_error', message }),
          });
        }
    expect(upstream.requests.length).toBe(before);
  });

  it("is refused with the header's original name if it uses the headers of another gateway", async () => {
    const { status, error } = await ask(accepting, { 'x-portkey-config': '{"provider":"echo"}' });
    expect([status, error.code]).toEqual([400, 'unsaved-refused']);
    expect(error.message).toContain('the header x-portkey-config names something else.');
  });

  it.each([
    {},
    { 'x-gw-config': 'all' },
    { 'x-gw-provider': '@team' },
    { 'x-gw-config': 'open', 'x-gw-provider': '@team' },
  ])('is served if it names only what is saved: %j', async (headers) => {
    for (const gateway of [strict, stored, accepting])
      expect(await ask(gateway, headers)).toEqual({ status: 200, error: undefined });
  });

  it("may name the gateway's own files", async () => {
    const headers = { 'x-gw-api-key': adminKey, 'x-gw-provider': 'gw' };
    expect((await fetch(`${stored.baseUrl}/files`, { headers })).status).toBe(200);
  });

  it('is served by default', async () => {
    expect(await ask(open, { 'x-gw-config': '{"provider":"echo"}' })).toEqual({ status: 200, error: undefined });
  });
});
