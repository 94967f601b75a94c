import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawClient, rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let stored: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, stored, upstream] = await Promise.all([
    startGateway(),
    startGateway({
      files: { 'gateway.json': { store: { url: 'gateway.db' } } },
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    }),
    startUpstream((call) => call.json(openaiAnswer({ text: 'hello' }))),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), stored.stop()]);
  await upstream.close();
});

const offer = (protocol: string): readonly string[] => [
  ...[`Upgrade: ${protocol}`, 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGVzdA=='],
  `x-gw-config: ${JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: `${upstream.origin}/v1` })}`,
];

const ask = async (path: string, protocol = 'websocket', { origin } = gateway) => {
  const before = upstream.requests.length;
  const answer = await rawHttp(origin, { method: 'GET', path, lines: offer(protocol) });
  return {
    status: Number(answer.statusLine.split(' ')[1]),
    lines: answer.lines.map((line) => line.toLowerCase()),
    sent: upstream.requests.length - before,
  };
};

describe('a WebSocket handshake', () => {
  it.each([
    '/v1/embeddings',
    '/v1/chat/completions?model=m',
    '/v1/v1//messages',
    '/v2/chat',
    '/v1beta/models/m:generateContent',
    '/v1beta/files',
    '/v1/models',
    '/openai/v1/chat/completions',
    '/',
    '/readyz',
  ])('is answered with 426 if the path is served over HTTP: %s', async (path) => {
    const { status, lines, sent } = await ask(path, 'h2c, WebSocket');
    expect([status, sent]).toEqual([426, 0]);
    expect(lines).toContain('upgrade: http/1.1');
  });

  it.each(['/v1/realtime/calls', '/v1/proxy/voice', '/openai/voice', '/nothing/here'])(
    'is answered with 501 elsewhere: %s',
    async (path) => {
      const { status, lines, sent } = await ask(path);
      expect([status, sent]).toEqual([501, 0]);
      expect(lines).toContain('x-should-retry: false');
    },
  );

  it('is answered with 426 on the paths of the control plane', async () => {
    expect(await ask('/v1/providers', 'websocket', stored)).toMatchObject({ status: 426 });
  });
});

it('an offer of h2c is ignored', async () => {
  expect(await ask('/v1/realtime', 'h2c')).toMatchObject({ status: 200, sent: 1 });
});

describe('an offer of another protocol', () => {
  const head = (path: string): string =>
    [`GET ${path} HTTP/1.1`, 'Host: localhost', ...offer('h2c'), '', ''].join('\r\n');
  const connectClient = (): Promise<RawClient> => rawClient(Number(new URL(gateway.origin).port));

  it.each(['/v1/files', '/readyz', '/nothing'])('closes the connection after the answer at %s', async (path) => {
    using client = await connectClient();
    client.send(head(path));
    expect((await client.ended).toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  it('does not let the rest of a body be read as another request', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<UpstreamCall>();
    upstream.handle(arrive);
    const before = upstream.requests.length;
    using client = await connectClient();
    const body = head('/v1/files/of-the-body');
    // The parser drops the head of the second request, which arrived in one packet with the offer.
    client.send(
      `${head('/v1/files/first')}POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    const call = await arrived;
    client.send(body);
    // On another connection: the gateway has read these bytes by then.
    await rawHttp(gateway.origin, { method: 'GET', path: '/readyz' });
    call.json({});
    await client.ended;
    expect(upstream.requests.slice(before).map(({ path }) => path)).not.toContain('/v1/files/of-the-body');
    expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });
});
