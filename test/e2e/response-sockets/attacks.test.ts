import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { answerAsClaude, create, key, openResponses, servedResponses } from './support/response-gateway.ts';

const served = servedResponses({ limits: { body_bytes: 1_000_000, bodies_bytes: 4_000_000 } });
const open = (target: object = {}) => openResponses(served(), target);

/** Sends a handshake, and returns the status and the text of the answer. */
const answerTo = async (lines: readonly string[], path = '/v1/responses', body?: Buffer) => {
  const answer = await rawHttp(served().gateway.origin, {
    method: 'GET',
    path,
    lines,
    ...(body === undefined ? {} : { body }),
  });
  return { status: Number(answer.statusLine.split(' ')[1]), text: String(answer.body) };
};

const handshake = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Authorization: Bearer ${key}`, 'x-gw-provider: echo'],
];

describe('a handshake that is not valid', () => {
  const without = (name: string): readonly string[] => handshake.filter((line) => !line.startsWith(name));

  it.each([
    ['has no key', without('Sec-WebSocket-Key'), 400],
    ['has a short key', [...without('Sec-WebSocket-Key'), 'Sec-WebSocket-Key: abc'], 400],
    ['has two keys', [...handshake, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='], 400],
    ['has no version', without('Sec-WebSocket-Version'), 400],
    ['has an old version', [...without('Sec-WebSocket-Version'), 'Sec-WebSocket-Version: 8'], 400],
  ])('is refused if it %s', async (_, lines, status) => {
    expect(await answerTo(lines)).toEqual({ status, text: expect.stringContaining('"error"') });
  });

  it('is refused if it has a body', async () => {
    expect((await answerTo(handshake, '/v1/responses', Buffer.from('{}'))).status).toBe(426);
  });

  it.each(['/v1/responses/x', '/v1/chat/completions', '/v1/files'])('opens nothing at %s', async (path) => {
    expect([426, 501]).toContain((await answerTo(handshake, path)).status);
  });
});

describe('a client that breaks the rules', () => {
  it.each([
    ['is not JSON', 'hello', 'malformed-body'],
    ['is no object', '[]', 'malformed-body'],
    ['is empty', '', 'malformed-body'],
    ['has no type', '{}', 'invalid-request'],
    ['has an unknown type', '{"type":"session.update"}', 'invalid-request'],
    ['has an id of its stream that is no text', '{"type":"response.create","stream_id":7}', 'invalid-request'],
    ['has a value for "generate" that is no boolean', '{"type":"response.create","generate":0}', 'invalid-request'],
    ['runs in the background', '{"type":"response.create","background":true}', 'invalid-request'],
    ['is nested deeply', `${'['.repeat(100_000)}`, 'malformed-body'],
    ['has no input', '{"type":"response.create","model":"claude"}', 'invalid-request'],
  ])('gets an error for a message that %s, and may go on', async (_, text, code) => {
    const client = await open();
    client.socket.send(text);
    expect(await client.next('error')).toMatchObject({ status: 400, error: { code } });
    client.send(create());
    await client.next('response.completed');
    client.socket.close();
  });

  it('is disconnected if it sends bytes', async () => {
    const client = await open();
    client.socket.send(Buffer.from('{}'));
    expect((await client.closed).code).toBe(1003);
  });

  it('gets no more responses once it is being disconnected, even if it does not take part', async () => {
    const { provider } = served();
    let calls = 0;
    const waits = new Promise<() => void>((resolve) =>
      provider.handle(async (call) => {
        calls += 1;
        await new Promise<void>((go) => resolve(go));
        await answerAsClaude(call);
      }),
    );
    const client = await open();
    client.send(create());
    client.send(create());
    const go = await waits;
    client.socket.pause();
    client.socket.send(Buffer.from('{}'));
    client.send(create({ stream_id: 'another lane' }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    go();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(calls).toBe(1);
    client.socket.resume();
    expect((await client.closed).code).toBe(1003);
    provider.handle(answerAsClaude);
  });

  it('is disconnected if a message is larger than a body may be', async () => {
    const client = await open();
    client.send(create({ input: 'x'.repeat(1_100_000) }));
    expect((await client.closed).code).toBe(1009);
  });

  it('is disconnected if a frame is not masked', async () => {
    const { port, hostname } = new URL(served().gateway.origin);
    const socket = connect(Number(port), hostname);
    const bytes: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => bytes.push(chunk));
    socket.write(['GET /v1/responses HTTP/1.1', 'Host: gateway.example', ...handshake, '', ''].join('\r\n'));
    await vi.waitFor(() => expect(String(Buffer.concat(bytes))).toContain('101 Switching'), patience);
    socket.write(Buffer.from([0x81, 2, 0x7b, 0x7d]));
    await once(socket, 'close');
    expect(Buffer.concat(bytes).includes(Buffer.from([0x88]))).toBe(true);
  });

  it('may have at most 32 responses that are not complete', async () => {
    const { provider } = served();
    provider.handle(() => {});
    const client = await open();
    for (let count = 0; count < 40; count += 1) client.send(create({ stream_id: `lane ${count % 4}` }));
    await vi.waitFor(() => expect(client.events).toHaveLength(8), patience);
    expect(client.events.every(({ type, status }) => type === 'error' && status === 400)).toBe(true);
    client.socket.terminate();
    provider.handle(answerAsClaude);
  });

  it('takes no memory from others once it has left', async () => {
    const { provider } = served();
    provider.handle(() => {});
    const clients = await Promise.all(Array.from({ length: 6 }, () => open()));
    for (const client of clients) client.send(create({ input: 'x'.repeat(900_000) }));
    expect((await Promise.race(clients.map(({ closed }) => closed))).code).toBe(1013);
    for (const { socket } of clients) socket.terminate();
    provider.handle(answerAsClaude);
    await vi.waitFor(async () => {
      const client = await open();
      client.send(create({ input: 'x'.repeat(900_000) }));
      await client.next('response.completed');
      client.socket.close();
    }, patience);
  });
});

describe('a gateway that is stopped', () => {
  const stopped = async (drainMs: number) => {
    const gateway = await startGateway({
      files: {
        'gateway.json': {
          limits: { drain_ms: drainMs },
          auth: { keys: [{ id: 'team', key: '${env:KEY}' }] },
        },
      },
      args: ['--config', 'gateway.json'],
      env: { KEY: key },
    });
    const client = await openResponses({ gateway, provider: served().provider });
    return { gateway, client };
  };

  it('closes connections without a response at once', async () => {
    const { gateway, client } = await stopped(60_000);
    gateway.signal('SIGTERM');
    expect((await client.closed).code).toBe(1001);
    expect(await gateway.exited).toBe(0);
  });

  it('closes those with a response when that is complete', async () => {
    const { provider } = served();
    const { gateway, client } = await stopped(60_000);
    const waits = new Promise<() => void>((resolve) =>
      provider.handle(async (call) => {
        await new Promise<void>((go) => resolve(go));
        await answerAsClaude(call);
      }),
    );
    client.send(create());
    const go = await waits;
    gateway.signal('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    go();
    await client.next('response.completed');
    expect((await client.closed).code).toBe(1001);
    expect(await gateway.exited).toBe(0);
    provider.handle(answerAsClaude);
  });

  it('reports responses that are not complete when the time is over', async () => {
    const { provider } = served();
    provider.handle(() => {});
    const { gateway, client } = await stopped(200);
    client.send(create());
    await vi.waitFor(() => expect(provider.connections).toBeGreaterThan(0), patience);
    gateway.signal('SIGTERM');
    expect((await client.closed).code).toBe(1001);
    expect(client.events).toMatchObject([{ type: 'error', status: 503, error: { code: 'stream-shut-down' } }]);
    expect(await gateway.exited).not.toBe(-1);
    provider.handle(answerAsClaude);
  });
});
