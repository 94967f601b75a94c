import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json({ ok: true }));
  gateway = await startGateway({
    files: { 'gateway.json': { store: { url: 'gateway.db' }, trusted_hosts: ['127.0.0.1'] } },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const ask = async (method: string, path: string) => {
  const before = upstream.requests.length;
  const config = JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: `${upstream.origin}/v1` });
  const lines = [`x-gw-api-key: ${adminKey}`, `x-gw-config: ${config}`, 'content-type: application/json'];
  const answer = await rawHttp(gateway.origin, { method, path, lines, body: Buffer.from('{}') });
  const [, allow = ''] = /^allow: (.*)$/im.exec(answer.lines.join('\n')) ?? [];
  const status = Number(answer.statusLine.split(' ')[1]);
  return { status, allow: allow.split(', '), sent: upstream.requests.length - before };
};

describe.each([
  ['/', ['GET', 'HEAD']],
  ['/livez', ['GET', 'HEAD']],
  ['/readyz', ['GET', 'HEAD']],
  ['/v1/providers', ['GET', 'HEAD', 'POST']],
  ['/v1/openapi.json', ['GET', 'HEAD']],
  // Providers share these paths and have other methods there.
  ['/v1/files', ['GET', 'HEAD', 'POST']],
  ['/v1/batches/b-1', ['GET', 'HEAD']],
  ['/openai/v1/files', ['GET', 'HEAD', 'POST']],
])('the own path %s', (path, allowed) => {
  it('rejects QUERY and lists its methods', async () => {
    const { status, allow, sent } = await ask('QUERY', path);
    expect([status, sent]).toEqual([405, 0]);
    expect(allow).toEqual(expect.arrayContaining(allowed));
  });

  it('lists its methods for OPTIONS', async () => {
    const { status, allow, sent } = await ask('OPTIONS', path);
    expect([status, sent]).toEqual([204, 0]);
    expect(allow.toSorted()).toEqual([...allowed, 'OPTIONS'].toSorted());
  });
});

it('QUERY and OPTIONS are passed through on other paths', async () => {
  for (const method of ['QUERY', 'OPTIONS'])
    expect(await ask(method, '/v1/images')).toMatchObject({ status: 200, sent: 1 });
});
