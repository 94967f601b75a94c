import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { patience } from '../../support/patience.ts';
import { ask, receivedRecords, serveSinks, sinkStatus, startReceiver, waysToServe } from './support/sent-records.ts';

const secret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;

/** A receiver that does what it likes with a connection once the head of a request is there. */
const startRaw = async (serve: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => serve(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('a receiver of the log', () => {
  it('that answers without end has taken the records, and its answer is not read', async () => {
    let written = 0;
    const origin = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const chunk = Buffer.alloc(65_536, 'x');
      const go = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
        socket.once('drain', go);
      };
      go();
    });
    const gateway = await serveSinks([{ sink: 'webhook', url: origin }]);
    await ask(gateway);
    await expect
      .poll(() => sinkStatus(gateway), patience)
      .toMatchObject([{ status: 'ready', delivered: 1, retries: 0 }]);
    expect(written).toBeLessThan(50_000_000);
  });

  it.each([
    ['breaks off its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['says to go on first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['has an error in its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{"error":"no no"}'],
  ])('that %s has taken the records', async (_what, answer) => {
    const origin = await startRaw((socket) => socket.end(answer));
    const gateway = await serveSinks([{ sink: 'webhook', url: origin }]);
    await ask(gateway);
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ delivered: 1, retries: 0 }]);
  });

  it('that redirects is not followed', async () => {
    const inside = await startReceiver();
    const receiver = await startReceiver((call) => call.answer({ status: 307, headers: { location: inside.origin } }));
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }]);
    await ask(gateway);
    await expect
      .poll(() => sinkStatus(gateway), patience)
      .toMatchObject([{ status: 'failing', reason: 'It answered 307, and redirects are not followed.', waiting: 1 }]);
    expect(inside.requests).toEqual([]);
  });

  it('has an address that the operator trusts, or it gets nothing', async () => {
    const receiver = await startReceiver();
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], {
      env: { GW_TRUSTED_HOSTS: 'elsewhere.example' },
    });
    await ask(gateway);
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ status: 'failing', waiting: 1 }]);
    expect(receiver.requests).toEqual([]);
  });

  it('that shows the secrets of a sink finds them in no message', async () => {
    const token = 'token-of-the-receiver-0123456789';
    const plugin = `export default {
      name: 'leaking-sink',
      api: 1,
      sinks: [{
        id: 'leaking',
        options: { type: 'object', properties: { token: { type: 'string', format: 'secret' }, how: { type: 'string' } } },
        create: ({ token, how }) => ({
          send: async () => {
            if (how === 'throw') throw new Error('Not with ' + token);
            return how === 'refuse' ? { kind: 'refused', reason: 'Not with ' + token } : undefined;
          },
        }),
      }],
    };`;
    const leaking = ['throw', 'refuse', 'nothing'].map((how) => ({ sink: 'leaking', how, token: '${env:TOKEN}' }));
    const gateway = await serveSinks(leaking, {
      env: { TOKEN: token, HOOK: secret },
      settings: { plugins: [{ package: './leaking.mjs' }] },
      files: { 'leaking.mjs': plugin },
    });
    await ask(gateway);
    await expect
      .poll(() => sinkStatus(gateway), patience)
      .toMatchObject([
        { name: 'leaking', status: 'failing', reason: 'Not with …', waiting: 1 },
        { name: 'leaking-2', status: 'failing', reason: 'Not with …', refused: 1 },
        {
          name: 'leaking-3',
          status: 'failing',
          reason: 'The sink did not say what became of the records.',
          waiting: 1,
        },
      ]);
    await expect.poll(() => gateway.printed(), patience).toContain('The sink "leaking-3"');
    expect(gateway.printed()).not.toContain(token.slice(0, 12));
  });

  it('gets texts that are no Unicode, and long ones, in a form that every reader takes', async () => {
    const receiver = await startReceiver();
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], {
      log: { bodies: true, body_bytes: 1_048_576 },
      settings: { limits: { body_bytes: 64 * 1024 * 1024, bodies_bytes: 256 * 1024 * 1024 } },
    });
    await ask(gateway, { text: 'a\0b\ud83dc', headers: { 'x-gw-metadata': '{"a":"b\\ud83dc"}' } });
    const long = await ask(gateway, { text: 'x'.repeat(30_000_000) });
    await ask(gateway, { text: 'after' });
    await expect.poll(() => receivedRecords(receiver).length, patience).toBeGreaterThanOrEqual(3);
    const [odd, large] = receivedRecords(receiver);
    expect(odd.request.body.messages[0].content).toBe('a\ufffdb\ufffdc');
    expect(odd.metadata).toMatchObject({ a: 'b\ufffdc' });
    expect(receiver.requests.map(({ body }) => body.toString()).join('')).not.toMatch(/\\u(?:0000|d[89a-f])/i);
    expect([large.trace_id, large.request.body.length]).toEqual([long, 1_048_576]);
  });
});

describe.each(waysToServe)('a plugin with a sink of a gateway of %s', (_, ways) => {
  it('that ends its thread costs its records alone: the thread is started again', async () => {
    const receiver = await startReceiver();
    const plugin = `export default {
      name: 'falling-sink',
      api: 1,
      sinks: [{
        id: 'falling',
        options: { type: 'object', properties: {} },
        create: () => ({
          async send(records) {
            if (records.some(({ json }) => json.includes('fall-now'))) setTimeout(() => { throw new Error('Fallen.'); });
            return new Promise(() => {});
          },
        }),
      }],
    };`;
    const gateway = await serveSinks([{ sink: 'falling' }, { sink: 'webhook', url: receiver.origin }], {
      settings: { plugins: [{ package: './falling.mjs' }], ...ways },
      files: { 'falling.mjs': plugin },
    });
    await ask(gateway, { headers: { 'x-gw-metadata': '{"say":"fall-now"}' } });
    await expect.poll(() => gateway.printed(), patience).toContain('The thread of the sinks of the log has ended');
    await expect
      .poll(async () => {
        await ask(gateway);
        return receivedRecords(receiver).length;
      }, patience)
      .toBeGreaterThan(2);
    const [falling] = await sinkStatus(gateway);
    expect(falling.dropped).toBeGreaterThan(0);
  });

  it('that never answers is given up after its time, and holds nobody else up', async () => {
    const receiver = await startReceiver();
    const plugin = `export default {
      name: 'silent-sink',
      api: 1,
      sinks: [{
        id: 'silent',
        options: { type: 'object', properties: {} },
        batch: { sendMs: 200, gatherMs: 10 },
        create: () => ({ send: () => new Promise(() => {}) }),
      }],
    };`;
    const gateway = await serveSinks([{ sink: 'silent' }, { sink: 'webhook', url: receiver.origin }], {
      settings: { plugins: [{ package: './silent.mjs' }], ...ways },
      files: { 'silent.mjs': plugin },
    });
    await ask(gateway);
    await expect
      .poll(() => sinkStatus(gateway), patience)
      .toMatchObject([
        { status: 'failing', reason: 'It did not answer within 200 ms.', waiting: 1 },
        { status: 'ready', delivered: 1 },
      ]);
  });

  it('that occupies its thread for good costs requests nothing: what there is no room for is dropped, and the gateway ends', async () => {
    const plugin = `export default {
      name: 'endless-sink',
      api: 1,
      sinks: [{
        id: 'endless',
        options: { type: 'object', properties: {} },
        batch: { gatherMs: 10 },
        create: () => ({ send() { for (;;); } }),
      }],
    };`;
    const gateway = await serveSinks([{ sink: 'endless' }], {
      log: { bodies: true, body_bytes: 262_144 },
      settings: { plugins: [{ package: './endless.mjs' }], limits: { drain_ms: 1000 }, ...ways },
      files: { 'endless.mjs': plugin },
    });
    await ask(gateway);
    // Each has a request and an answer of a quarter of a megabyte: one workspace may have 8 MB of what waits.
    const text = 'x'.repeat(250_000);
    for (let sent = 0; sent < 10; sent += 1) await Promise.all(Array.from({ length: 6 }, () => ask(gateway, { text })));
    await expect.poll(async () => (await sinkStatus(gateway))[0].dropped, patience).toBeGreaterThan(10);
    const [{ waiting, dropped }] = await sinkStatus(gateway);
    expect(waiting).toBeLessThan(50);
    expect(waiting + dropped).toBeLessThanOrEqual(61);
    expect(await ask(gateway)).not.toBe('');
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(gateway.printed()).toMatch(/The sink "endless" of the log:.* Records that were lost: /);
  });
});
