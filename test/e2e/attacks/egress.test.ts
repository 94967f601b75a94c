import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
/** Trusted by address and port, unlike its neighbour. */
let home: TestUpstream;
let upstream: TestUpstream;
/** Runs at the address of the proxy that the environment names. */
let proxy: TestUpstream;
let unix: Server;
let unixCalls = 0;
const socketPath = path.join(tmpdir(), `gw-egress-${process.pid}.sock`);

beforeAll(async () => {
  [home, upstream, proxy] = await Promise.all([startUpstream(), startUpstream(), startUpstream()]);
  for (const server of [home, upstream, proxy]) server.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
  unix = createServer(() => {
    unixCalls += 1;
  }).listen(socketPath);
  const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  gateway = await startGateway({
    files: {
      'gateway.json': {
        auth: {
          keys: [
            { id: 'one', key: '${env:ONE}', tenant: 'one' },
            { id: 'two', key: '${env:TWO}', tenant: 'two' },
          ],
        },
      },
    },
    env: {
      ...Object.fromEntries(proxies.map((name) => [name, proxy.origin])),
      NO_PROXY: '',
      GW_TRUSTED_HOSTS: `127.0.0.1:${home.port}`,
      ONE: 'key-of-tenant-one',
      TWO: 'key-of-tenant-two',
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  unix.close();
  await Promise.all([home.close(), upstream.close(), proxy.close()]);
});

const ask = (headers: Record<string, string>, route = '/chat/completions'): Promise<Response> =>
  fetch(`${gateway.baseUrl}${route}`, {
    method: 'POST',
    headers: { 'x-gw-api-key': 'key-of-tenant-one', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  });

const ways = (host: string): readonly Record<string, string>[] => [
  { 'x-gw-provider': 'openai', authorization: 'Bearer mine', 'x-gw-custom-host': host },
  { 'x-gw-config': JSON.stringify({ provider: 'openai', api_key: 'mine', custom_host: host }) },
  {
    'x-gw-config': JSON.stringify({
      custom_host: host,
      targets: [{ provider: 'openai', api_key: 'mine' }],
      strategy: { mode: 'fallback' },
    }),
  },
];

describe('a host that is not trusted', () => {
  it.each([
    'http://127.0.0.1:{port}',
    'http://127.1:{port}',
    'http://2130706433:{port}',
    'http://0x7f000001:{port}',
    'http://0177.0.0.1:{port}',
    'http://0.0.0.0:{port}',
    'http://0:{port}',
    'http://[::1]:{port}',
    'http://[::]:{port}',
    'http://[::ffff:127.0.0.1]:{port}',
    'http://[::ffff:7f00:1]:{port}',
    'http://[64:ff9b::7f00:1]:{port}',
    'http://localhost:{port}',
    'http://localhost.:{port}',
    'http://LOCALHOST:{port}',
    'http://other.localhost:{port}',
    'http://ip6-localhost:{port}',
    'http://127.0.0.1.nip.io:{port}',
    'http://localtest.me:{port}',
    'http://ⓛocalhost:{port}',
    'http://１２７.0.0.1:{port}',
    'http://127.0.0.1:{home}@127.0.0.1:{port}',
    'http://127.0.0.1:{port}\\@127.0.0.1:{home}',
    'http://127.0.0.1:{port}#@127.0.0.1:{home}',
    'http://127.0.0.1:{home}.evil.example',
    'http://169.254.169.254',
    'http://metadata.google.internal',
    'http://100.100.100.200',
    'http://[fd00:ec2::254]',
    'file:///etc/passwd',
    'gopher://127.0.0.1:{port}/_x',
    'unix:{socket}',
    'http://unix:{socket}:/',
    'http+unix://{socket}',
  ])('is not called, whichever way it is named: %s', async (pattern) => {
    const host = pattern
      .replaceAll('{port}', String(upstream.port))
      .replaceAll('{home}', String(home.port))
      .replaceAll('{socket}', socketPath);
    for (const headers of ways(host))
      for (const route of ['/chat/completions', '/anything']) {
        // A header is bytes: clients that send more than ASCII mean UTF-8.
        const lines = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
        const answer = await ask(Object.fromEntries(lines), route);
        expect([400, 502]).toContain(answer.status);
        expect(await answer.text()).toMatch(/not-allowed|invalid-config|not known|connection-failed/);
      }
    expect(upstream.accepted).toBe(0);
    expect(unixCalls).toBe(0);
  });
});

describe('a host that the operator trusts', () => {
  it('is called at the trusted port, without the proxy that the environment names', async () => {
    for (const headers of ways(`${home.origin}/v1`)) {
      const answer = await ask(headers);
      expect(answer.status).toBe(200);
      await answer.text();
    }
    expect(home.requests.length).toBe(3);
    expect(proxy.accepted).toBe(0);
  });

  it('may answer with a redirect, which the gateway does not follow', async () => {
    home.handle((call) => call.answer({ status: 307, headers: { location: `http://127.0.0.1:${proxy.port}/` } }));
    const before = home.requests.length;
    const answer = await fetch(`${gateway.baseUrl}/anything`, {
      redirect: 'manual',
      headers: { 'x-gw-api-key': 'key-of-tenant-one', ...ways(`${home.origin}/v1`)[1] },
    });
    expect(answer.status).toBe(307);
    expect(home.requests.length).toBe(before + 1);
    expect(proxy.accepted).toBe(0);
  });
});

describe('two tenants with the same config and the same credential', () => {
  it('have separate circuits', async () => {
    let down = true;
    home.handle((call) =>
      call.request.head.includes('/first/') && down
        ? call.json({ error: { message: 'down' } }, { status: 503 })
        : call.json(openaiAnswer({ text: 'hello' })),
    );
    const target = (name: string): object => ({
      provider: 'openai',
      api_key: 'shared',
      custom_host: `${home.origin}/${name}`,
    });
    const config = JSON.stringify({
      strategy: { mode: 'fallback' },
      cb_config: { failure_threshold: 2, cooldown_interval: 60_000, failure_status_codes: [503] },
      targets: [target('first'), target('second')],
    });
    const chosen = async (key: string): Promise<string | null> => {
      const answer = await ask({ 'x-gw-api-key': key, 'x-gw-config': config });
      await answer.text();
      return answer.headers.get('x-gw-last-used-option-index');
    };
    const firstCalls = (): number => home.requests.filter(({ head }) => head.includes('/first/')).length;
    for (let at = 0; at < 3; at += 1) expect(await chosen('key-of-tenant-one')).toBe('config.targets[1]');
    expect(firstCalls()).toBe(2);
    down = false;
    expect(await chosen('key-of-tenant-one')).toBe('config.targets[1]');
    expect(await chosen('key-of-tenant-two')).toBe('config.targets[0]');
  });
});
