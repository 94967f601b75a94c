import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResponseSink } from '../../../runtime/http/answer/response-sink.ts';
import { answerBatch } from '../../../runtime/http/answer/write-answer.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import { type Listening, listen } from '../../../runtime/server/node-http/listen.ts';
import type { NodeRequestListener } from '../../../runtime/server/node-http/request-listener.ts';
import { rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

const head = (lines: string, path = '/chat/completions'): string =>
  `POST /v1${path} HTTP/1.1\r\nhost: localhost\r\nx-gw-config: {"provider":"echo"}\r\ncontent-type: application/json\r\n${lines}\r\n\r\n`;

describe('a client that keeps the gateway waiting', () => {
  const stallMs = 100;
  let listening: Listening | undefined;
  const start = async (listener: NodeRequestListener, ms = stallMs): Promise<number> => {
    listening?.close();
    listening = await listen({
      host: '127.0.0.1',
      port: 0,
      listener,
      headerBytes: 65_536,
      clock: systemClock,
      stallMs: ms,
    });
    return listening.port;
  };
  afterAll(() => listening?.close());

  it.each([
    ['sends no request', ''],
    ['stops sending in the middle of its headers', 'POST /v1/x HTTP/1.1\r\nhost: localh'],
  ])('is disconnected if it %s', async (_, sent) => {
    const port = await start((request) => void request.resume());
    using client = await rawClient(port);
    client.send(sent);
    expect(await client.ended).toBe('');
  });

  it.each([
    ['stops sending in the middle of its body', `${head('content-length: 10')}12345`],
    ['stops sending between chunks', `${head('transfer-encoding: chunked')}5\r\n12345\r\n`],
  ])('gets 408 and is disconnected if it %s', async (_, sent) => {
    const port = await start((request) => void request.resume());
    using client = await rawClient(port);
    client.send(sent);
    const [lines = '', body = ''] = (await client.ended).split('\r\n\r\n');
    expect(lines).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(lines).toContain('connection: close');
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'request-stalled', type: 'timeout_error' } });
  });

  it('is disconnected without an error if it stops in its body after its answer has begun', async () => {
    const port = await start((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '10' }).write('12345');
    });
    using client = await rawClient(port);
    client.send(`${head('content-length: 10')}12345`);
    expect(await client.ended).toMatch(/\r\n\r\n12345$/);
  });

  it('is disconnected if it reads nothing of its answer, and the answer is freed', async () => {
    const closed = new Promise<void>((resolve) => {
      void start((_, response) => {
        response.on('close', resolve);
        response.write(Buffer.alloc(32 * 1024 * 1024));
      }).then((port) => {
        const socket: Socket = connect(port, '127.0.0.1', () =>
          socket.write('GET /v1/x HTTP/1.1\r\nhost: localhost\r\n\r\n'),
        );
        socket.on('error', () => undefined);
      });
    });
    await closed;
  });

  it.each(['answer', 'frame of a stream'])('stays connected if it reads a large %s slowly', async (kind) => {
    const bytes = Buffer.alloc(32 * 1024 * 1024, 'x');
    const batch = answerBatch();
    const port = await start((_, response) => {
      const length = kind === 'answer' ? ['content-length', String(bytes.length)] : [];
      response.writeHead(200, [...length, 'connection', 'close']);
      if (kind === 'answer') batch.add({ to: response, bytes });
      else {
        const sink = new ResponseSink(response);
        sink.write(bytes);
        sink.end();
      }
    }, 1000);
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /v1/x HTTP/1.1\r\nhost: localhost\r\n\r\n'));
    let taken = 0;
    socket.on('data', (chunk) => {
      taken += chunk.length;
      socket.pause();
      systemClock.after(5, () => void socket.resume());
    });
    await once(socket, 'close');
    expect(taken).toBeGreaterThan(bytes.length);
  });

  it('stays connected if it waits for its answer, however long that takes', async () => {
    const port = await start((request, response) => {
      request.resume().on('end', () => void systemClock.after(3 * stallMs, () => response.end('late')));
    });
    using client = await rawClient(port);
    client.send(`${head('content-length: 2\r\nconnection: close')}{}`);
    expect(await client.ended).toContain('late');
  });

  it('stays connected if its body waits until the provider reads on', async () => {
    const resumed = Promise.withResolvers<void>();
    const port = await start((request, response) => {
      request.once('data', () => {
        request.pause();
        systemClock.after(3 * stallMs, () => {
          request.resume().on('end', () => response.end('taken'));
          resumed.resolve();
        });
      });
    });
    using client = await rawClient(port);
    client.send(`${head('content-length: 100001\r\nconnection: close')}${'x'.repeat(100_000)}`);
    await resumed.promise;
    client.send('x');
    expect(await client.ended).toContain('taken');
  });
});

describe('the memory for request bodies', () => {
  let gateway: GatewayProcess;
  let port: number;
  beforeAll(async () => {
    gateway = await startGateway({ files: { 'gateway.json': { limits: { body_bytes: 1000, bodies_bytes: 1000 } } } });
    port = Number(new URL(gateway.origin).port);
  });
  afterAll(() => gateway.stop());

  const filling = (): string => {
    const body = '{"model":"echo","messages":[{"role":"user","content":"hi"}],"x":""}';
    return body.replace('"x":""', `"x":"${'x'.repeat(1000 - body.length)}"`);
  };
  const status = async (): Promise<number> => {
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'x-gw-config': '{"provider":"echo"}', 'content-type': 'application/json' },
      body: filling(),
    });
    await answer.text();
    return answer.status;
  };

  it('is freed if a client disconnects before its config is compiled', async () => {
    const config = JSON.stringify({
      strategy: { mode: 'conditional', conditions: [{ query: { 'params.model': 'm' }, then: 'a' }], default: 'a' },
      targets: [{ name: 'a', provider: 'echo' }],
    });
    using client = await rawClient(port);
    client.send(
      `POST /v1/responses HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config}\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{`,
    );
    client.socket.resetAndDestroy();
    await expect.poll(status, { interval: 5 }).toBe(200);
  });

  it('is not reserved by bodies that are only announced', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => rawClient(port)));
    for (const [at, client] of clients.entries())
      client.send(head(at % 2 === 0 ? 'content-length: 1000' : 'transfer-encoding: chunked'));
    const answered = await status();
    for (const client of clients) client.socket.destroy();
    expect(answered).toBe(200);
  });

  it.each([
    ['disconnects in the middle of its body', 'content-length: 1000', '{"model"'],
    ['disconnects between chunks', 'transfer-encoding: chunked', '8\r\n{"model"\r\n'],
    ['sends chunks beyond the size limit', 'transfer-encoding: chunked', `5dc\r\n${'x'.repeat(1500)}\r\n0\r\n\r\n`],
    ['announces a body beyond the size limit', 'content-length: 1001', ''],
    ['sends more than it announced', 'content-length: 1', '{}{}'],
    ['sends an invalid chunk', 'transfer-encoding: chunked', '8\r\n{"model"XX'],
    ['disconnects while it waits for 100 Continue', 'expect: 100-continue\r\ncontent-length: 500', ''],
    [
      'sends a body beyond the size limit without waiting for 100 Continue',
      'expect: 100-continue\r\ncontent-length: 5000',
      'x'.repeat(5000),
    ],
  ])('is freed if a client %s', async (_, lines, sent) => {
    for (let round = 0; round < 30; round += 1) {
      const client = await rawClient(port);
      client.send(`${head(lines)}${sent}`);
      if (round % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      client.socket.destroy();
      await once(client.socket, 'close');
    }
    await expect.poll(status, { interval: 5 }).toBe(200);
  });
});
