import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { control, makeKey, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { type RealtimeProvider, startRealtimeProvider } from './support/realtime-provider.ts';
import { openSession, refusalOf, type SessionTarget } from './support/session-client.ts';

const provider = sharedByTests<RealtimeProvider>('provider', async (whenFinished) => {
  const started = await startRealtimeProvider();
  whenFinished(() => started.close());
  return started;
});
const gateway = sharedByTests<GatewayProcess>('gateway', async (whenFinished) => {
  const started = await startGateway({ env: { GW_LOG: 'requests' } });
  whenFinished(() => started.stop());
  return started;
});

const configFor = (origin: string, more: object = {}): Readonly<Record<string, string>> => ({
  'x-gw-config': JSON.stringify({ provider: 'openai', api_key: 'sk', custom_host: `${origin}/v1`, ...more }),
});

const at = (origin: string = provider().origin, more: object = {}): SessionTarget => ({
  origin: gateway().origin,
  headers: configFor(origin, more),
});

const offer = (headers: Readonly<Record<string, string>>): readonly string[] => [
  ...[
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ],
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
];

const handshake = (path = '/v1/realtime?model=m'): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...offer(configFor(provider().origin)), '', ''].join('\r\n');

/** A provider on a plain socket. `answer` gets the key of each handshake. */
const rawProvider = async (answer: (socket: Socket, accept: string) => void): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      const [, key = ''] = /sec-websocket-key: *(\S+)/i.exec(String(head)) ?? [];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      answer(socket, accept);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
};

const switching = (accept: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;

const isServing = async (): Promise<void> => {
  expect((await fetch(`${gateway().origin}/livez`)).status).toBe(200);
};

describe('a handshake', () => {
  it.each([
    ['with a body', { body: Buffer.from('{}') }, []],
    ['with an empty chunked body', { body: Buffer.from('0\r\n\r\n') }, ['transfer-encoding: chunked']],
  ])('%s opens nothing', async (_, more, lines) => {
    const before = provider().sessions.length;
    const { statusLine } = await rawHttp(gateway().origin, {
      ...{ method: 'GET', path: '/v1/realtime?model=m', ...more },
      lines: [...offer(configFor(provider().origin)), ...lines],
    });
    expect(statusLine).toMatch(/ (?:400|501) /);
    expect(provider().sessions.length).toBe(before);
    await isServing();
  });

  it('behind another request on its connection opens nothing', async () => {
    const before = provider().sessions.length;
    using client = await rawClient(Number(new URL(gateway().origin).port));
    client.send(`GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n${handshake()}`);
    expect((await client.ended).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 501']);
    expect(provider().sessions.length).toBe(before);
  });

  it('may be followed by bytes of the session in one packet', async () => {
    using client = await rawClient(Number(new URL(gateway().origin).port));
    const mask = [0, 0, 0, 0];
    const event = Buffer.from('{"type":"response.create"}');
    client.send(Buffer.concat([Buffer.from(handshake()), Buffer.from([0x81, 0x80 | event.length, ...mask]), event]));
    expect(await client.until('response.done')).toContain('HTTP/1.1 101');
  });

  it('that sends too much before its answer ends', async () => {
    const origin = await rawProvider(() => {});
    using client = await rawClient(Number(new URL(gateway().origin).port));
    const head = [`GET /v1/realtime HTTP/1.1`, 'Host: localhost', ...offer(configFor(origin)), '', ''].join('\r\n');
    client.send(head);
    client.send(Buffer.alloc(256 * 1024));
    expect(await client.ended).toBe('');
    await isServing();
  });

  it('ends at the provider if its client leaves before the answer', async () => {
    const arrived = Promise.withResolvers<Socket>();
    const origin = await rawProvider((socket) => arrived.resolve(socket));
    const client = await rawClient(Number(new URL(gateway().origin).port));
    client.send([`GET /v1/realtime HTTP/1.1`, 'Host: localhost', ...offer(configFor(origin)), '', ''].join('\r\n'));
    const socket = await arrived.promise;
    const closed = once(socket, 'close');
    socket.resume();
    client.socket.destroy();
    await closed;
  });

  it('has the time-out of its target', async () => {
    const origin = await rawProvider(() => {});
    const { status } = await refusalOf(at(origin, { request_timeout: 200 }));
    expect(status).toBe(408);
  });

  it.each([
    ['no upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 502],
    ['a success', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', 200],
  ])('gets an ordinary answer to %s', async (_, text, expected) => {
    const origin = await rawProvider((socket) => socket.end(text));
    expect((await refusalOf(at(origin, { retry: { attempts: 0 } }))).status).toBe(expected);
    await isServing();
  });

  it('from a page of another site is refused without keys', async () => {
    const { headers = {}, ...target } = at();
    const { status, body } = await refusalOf({ ...target, headers: { ...headers, origin: 'https://evil.example' } });
    expect([status, JSON.parse(body).error.code]).toEqual([403, 'foreign-origin']);
  });

  it('keeps the key in its subprotocol out of the log', async () => {
    const secret = 'a-secret-of-a-page-that-nobody-may-read';
    const client = await openSession({ ...at(), protocols: ['realtime', `openai-insecure-api-key.${secret}`] });
    client.socket.close();
    await client.closed;
    await expect.poll(() => gateway().printed()).toContain('"status":101');
    expect(gateway().printed()).not.toContain(secret);
  });
});

describe('a session', () => {
  it.each([
    ['compressed frames', Buffer.from([0xc1, 1, 0x7b])],
    ['masked frames', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0x7b])],
  ])('ends if its provider sends %s', async (_, bytes) => {
    const origin = await rawProvider((socket, accept) =>
      socket.write(Buffer.concat([Buffer.from(switching(accept)), bytes])),
    );
    const client = await openSession(at(origin));
    expect((await client.closed).code).toBe(1006);
    await isServing();
  });

  it('is held back at the provider while its client reads nothing', async () => {
    let isFull = false;
    const origin = await rawProvider((socket, accept) => {
      socket.write(switching(accept));
      const frame = Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536)]);
      // Far more than all buffers on the way.
      for (let at = 0; at < 1000; at += 1) isFull = !socket.write(frame);
      socket.once('drain', () => {
        isFull = false;
      });
    });
    const client = await openSession(at(origin));
    client.socket.pause();
    await isServing();
    expect(isFull).toBe(true);
    client.socket.resume();
    await expect.poll(() => isFull).toBe(false);
    client.socket.terminate();
  });

  it('is one of many', async () => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => openSession(at())));
    for (const client of clients) client.send({ type: 'response.create' });
    await Promise.all(clients.map((client) => client.next('response.done')));
    for (const client of clients) client.socket.close();
    await Promise.all(clients.map((client) => client.closed));
  });

  it('holds no place at its target once it is open', async () => {
    const overload = { min_concurrency: 1, max_concurrency: 1, queue_ms: 1000 };
    const limited = await startGateway({ files: { 'gateway.json': { overload } }, args: ['--config', 'gateway.json'] });
    onTestFinished(() => limited.stop());
    const first = await openSession({ ...at(), origin: limited.origin });
    const second = await openSession({ ...at(), origin: limited.origin });
    for (const client of [first, second]) client.socket.close();
    await Promise.all([first.closed, second.closed]);
  });

  it('is served by workers', async () => {
    const several = await startGateway({ args: ['--workers', '2'] });
    onTestFinished(() => several.stop());
    const client = await openSession({ ...at(), origin: several.origin });
    client.send({ type: 'response.create' });
    await client.next('response.done');
    client.socket.close();
    await client.closed;
  });

  it('ends if it would cost more than its config allows', async () => {
    const client = await openSession({
      ...at(provider().origin, { max_cost_usd: 0.05 }),
      path: '/v1/realtime?model=gpt-realtime',
    });
    client.send({ type: 'response.create', response: { metadata: { input: '1000', output: '5000' } } });
    expect(await client.next('error')).toMatchObject({ error: { code: 'cost-exceeded' } });
    expect((await client.closed).code).toBe(1008);
  });
});

describe('a saved provider with a list of models', () => {
  const stored = sharedStore();

  it('opens sessions with these models only, however the query spells another', async () => {
    const settings = { custom_host: `${provider().origin}/v1` };
    const models = [{ slug: 'good', enabled: true }];
    await control(stored(), 'POST /integrations', {
      body: { name: 'S', slug: 's', provider: 'openai', key: 'sk', settings, models },
    });
    await control(stored(), 'POST /providers', { body: { name: 'A', slug: 'a', integration_id: 's' } });
    const { key } = await makeKey(stored(), 'caller');
    const headers = { 'x-gw-api-key': key, 'x-gw-provider': '@a' };
    const { origin } = stored();
    const before = provider().sessions.length;
    const refused = ['model=bad', 'Model=bad', 'model%5B%5D=bad', 'a=1;model=bad', 'deployment=bad'];
    const unclear = ['model=good&model=bad', ''];
    for (const query of [...refused, ...unclear]) {
      const { status } = await refusalOf({ origin, path: `/v1/realtime?${query}`, headers });
      expect(status, query).toBe(refused.includes(query) ? 403 : 400);
    }
    for (const model of [null, 7]) {
      const config = JSON.stringify({ provider: '@a', override_params: { model } });
      const overriding = { 'x-gw-api-key': key, 'x-gw-config': config };
      expect((await refusalOf({ origin, path: '/v1/realtime?model=bad', headers: overriding })).status).toBe(403);
    }
    expect(provider().sessions.length).toBe(before);
    const client = await openSession({ origin, path: '/v1/realtime?model=good', headers });
    client.socket.close();
    await client.closed;
  });
});
