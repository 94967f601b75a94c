import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
/** Tests with the same settings share a gateway. */
const running = new Map<string, Promise<GatewayProcess>>();

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
});
afterAll(async () => {
  for (const gateway of running.values()) await (await gateway).stop();
  await upstream.close();
});

const start = (settings: object, trusted?: string): Promise<GatewayProcess> => {
  const env = trusted === undefined ? {} : { GW_TRUSTED_HOSTS: trusted };
  const id = JSON.stringify([settings, env]);
  const known = running.get(id);
  if (known !== undefined) return known;
  const gateway = startGateway({
    files: { 'gateway.json': settings, 'configs/secret-name.json': { provider: 'echo' } },
    env: { ONE: 'service-key', ...env },
    ...(trusted === undefined ? { unset: ['GW_TRUSTED_HOSTS'] } : {}),
  });
  running.set(id, gateway);
  return gateway;
};

const keys = { auth: { keys: [{ id: 'one', key: '${env:ONE}' }] } };
const target = (host: string): object => ({ provider: 'openai', api_key: 'mine', custom_host: host });

const ask = ({ baseUrl }: GatewayProcess, headers: Record<string, string>): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'x-gw-api-key': 'service-key', 'content-type': 'application/json', ...headers },
    body: '{"model":"m","messages":[]}',
  });
const askConfig = (gateway: GatewayProcess, config: object): Promise<Response> =>
  ask(gateway, { 'x-gw-config': JSON.stringify(config) });

describe('a blocked host in a config from a caller', () => {
  it.each([
    'http://10.0.0.1/v1',
    'http://database/v1',
    'https://models.example.com:6379/v1',
    'http://metadata/v1',
    'http://[::ffff:127.0.0.1]:8080',
    'http://0.0.0.0:8080',
  ])('is the answer of its target, so that a fallback continues: %s', async (host) => {
    const gateway = await start({}, `127.0.0.1:${upstream.port}`);
    const alone = await askConfig(gateway, target(host));
    expect(alone.status).toBe(400);
    expect(alone.headers.get('x-gw-last-used-option-index')).toBe('config');
    expect(await alone.text()).toContain('"host-not-allowed"');
    const group = { strategy: { mode: 'fallback' }, targets: [target(host), target(`${upstream.origin}/v1`)] };
    const answer = await askConfig(gateway, group);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
  });
});

describe('a blocked host in x-gw-custom-host', () => {
  it('is the answer to the request, even if no target would call the host', async () => {
    const gateway = await start({}, `127.0.0.1:${upstream.port}`);
    const config = JSON.stringify({ provider: 'echo', override_params: { model: 'm' } });
    for (const host of ['http://10.0.0.1/v1', 'ftp://models.example.com']) {
      const headers = { 'x-gw-config': config, 'x-gw-custom-host': host };
      const list = await fetch(`${gateway.baseUrl}/models`, { headers });
      for (const answer of [await ask(gateway, headers), list]) {
        expect(answer.status).toBe(400);
        expect(answer.headers.get('x-gw-last-used-option-index')).toBeNull();
        expect(await answer.text()).toContain('"host-not-allowed"');
      }
    }
    expect((await fetch(`${gateway.baseUrl}/models`, { headers: { 'x-gw-config': config } })).status).toBe(200);
  });
});

describe('a host that the operator lists', () => {
  it('is trusted at every port, including blocked ones, unless the list names a port', async () => {
    const everywhere = await start({}, '127.0.0.1');
    // Nobody listens there; what matters is that the gateway calls it.
    const called = await askConfig(everywhere, target('http://127.0.0.1:2375/v1'));
    expect(await called.text()).toContain('"connection-failed"');
    const atOnePort = await start({}, `127.0.0.1:${upstream.port}`);
    const blocked = await askConfig(atOnePort, target('http://127.0.0.1:2375/v1'));
    expect(await blocked.text()).toContain('"host-not-allowed"');
  });
});

describe('loopback', () => {
  const ways = (): readonly Record<string, string>[] => [
    { 'x-gw-provider': 'openai', authorization: 'Bearer mine', 'x-gw-custom-host': `${upstream.origin}/v1` },
    { 'x-gw-config': JSON.stringify(target(`${upstream.origin}/v1`)) },
  ];

  it('is trusted without being listed if only this machine can call the gateway', async () => {
    const gateway = await start({});
    for (const headers of ways()) expect((await ask(gateway, headers)).status).toBe(200);
  });

  it('is not trusted if there are service keys, because their holders may be anywhere', async () => {
    const gateway = await start(keys);
    const before = upstream.requests.length;
    for (const headers of ways()) expect(await (await ask(gateway, headers)).text()).toContain('"host-not-allowed"');
    expect(upstream.requests.length).toBe(before);
    const listed = await start({ ...keys, trusted_hosts: ['127.0.0.1'] });
    for (const headers of ways()) expect((await ask(listed, headers)).status).toBe(200);
  });
});

describe('/readyz of a gateway with service keys', () => {
  it('shows only the status to callers without a key', async () => {
    const gateway = await start({ ...keys, configs: 'configs' });
    const ready = async (headers: Record<string, string>): Promise<string> =>
      (await fetch(`${gateway.origin}/readyz`, { headers })).text();
    expect(JSON.parse(await ready({}))).toEqual({ status: 'ready' });
    expect(JSON.parse(await ready({ 'x-gw-api-key': 'wrong' }))).toEqual({ status: 'ready' });
    for (const headers of [{ 'x-gw-api-key': 'service-key' }, { authorization: 'Bearer service-key' }])
      expect(await ready(headers)).toContain('secret-name');
    expect(await (await fetch(`${gateway.origin}/livez`)).text()).toBe('alive\n');
  });
});
