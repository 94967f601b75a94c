import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway(),
    startUpstream((call) => call.json(openaiAnswer({ text: 'hello' }))),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const body = Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hi"}]}');

const ask = async (path: string, method = 'POST') => {
  const config = JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: `${upstream.origin}/v1` });
  const lines = [`x-gw-config: ${config}`, 'content-type: application/json'];
  const before = upstream.requests.length;
  const answer = await rawHttp(gateway.origin, { method, path, lines, ...(method === 'POST' ? { body } : {}) });
  return { status: Number(answer.statusLine.split(' ')[1]), sent: upstream.requests.length - before };
};

it.each(['http://localhost:1', 'HTTP://127.0.0.1', 'https://[::1]:8787'])(
  'serves a request target in absolute form: %s',
  async (at) => {
    expect(await ask(`${at}/v1/chat/completions?a=1`)).toEqual({ status: 200, sent: 1 });
    expect(await ask(`${at}/v1//chat/completions`)).toEqual({ status: 200, sent: 1 });
    expect(await ask(`${at}/v1/files?a=http://x/`)).toEqual({ status: 200, sent: 1 });
    expect(upstream.requests.at(-1)?.path).toBe('/v1/files?a=http://x/');
    expect(await ask(`${at}/readyz`, 'GET')).toEqual({ status: 200, sent: 0 });
    expect(await ask(at, 'GET')).toEqual({ status: 200, sent: 0 });
  },
);

it('checks the authority of an absolute request target instead of the Host header', async () => {
  expect(await ask('http://gateway.example/v1/chat/completions')).toEqual({ status: 403, sent: 0 });
  expect(await ask('http://gateway.example/readyz', 'GET')).toEqual({ status: 403, sent: 0 });
});

it.each([
  'http:///v1/models',
  'http://a@localhost/v1/models',
  'http://local host/v1/models',
  'http://localhost:x/v1/models',
])('refuses an absolute request target whose authority is not a plain host: %s', async (target) => {
  expect(await ask(target, 'GET')).toEqual({ status: 400, sent: 0 });
});
