import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import {
  ask,
  inWorkspace,
  receivedRecords,
  serveSinks,
  sharedReceiver,
  sharedSinks,
  sinkStatus,
  startReceiver,
  statusOf,
  waysToServe,
} from './support/sent-records.ts';

/** A receiver that handles the raw connection once the head of a request has arrived. */
const sharedRaw = (serve: (socket: Socket) => void): (() => string) => {
  const sockets = new Set<Socket>();
  let server: Server;
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', () => serve(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const token = 'token-of-the-receiver-0123456789';

const leakingPlugin = `export default {
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

/** Odd answers of receivers that have accepted the records nevertheless. */
const answers = [
  ['breaks off its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
  ['says to go on first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['has an error in its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{"error":"no no"}'],
] as const;

describe('a receiver of the log', () => {
  let written = 0;
  const endless = sharedRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
    const chunk = Buffer.alloc(65_536, 'x');
    const go = (): void => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      socket.once('drain', go);
    };
    go();
  });
  const answering = answers.map(([name, answer]) => ({ name, origin: sharedRaw((socket) => socket.end(answer)) }));
  const inside = sharedReceiver();
  const redirecting = sharedReceiver((call) => call.answer({ status: 307, headers: { location: inside().origin } }));
  const untrusted = sharedReceiver();
  const texts = sharedReceiver();
  // One record is sent to every sink, except the sink of the test with its own texts.
  const gateway = sharedSinks(() => ({
    sinks: [
      ...[
        { sink: 'webhook', name: 'endless', url: endless() },
        ...answering.map(({ name, origin }) => ({ sink: 'webhook', name, url: origin() })),
        { sink: 'webhook', name: 'redirecting', url: redirecting().origin },
        { sink: 'webhook', name: 'untrusted', url: `http://localhost:${untrusted().port}` },
        ...['throw', 'refuse', 'nothing'].map((how) => ({ sink: 'leaking', how, token: '${env:TOKEN}' })),
      ].map((sink) => ({ ...sink, workspaces: ['default'] })),
      { sink: 'webhook', name: 'texts', url: texts().origin, workspaces: ['texts'] },
    ],
    env: { TOKEN: token, GW_TRUSTED_HOSTS: '127.0.0.1' },
    log: { bodies: true, body_bytes: 1_048_576 },
    settings: { plugins: [{ package: './leaking.mjs' }] },
    files: { 'leaking.mjs': leakingPlugin },
  }));
  beforeAll(async () => void (await ask(gateway())));

  it('that answers endlessly has accepted the records, and its answer is not read', async () => {
    await expect
      .poll(() => statusOf(gateway(), 'endless'), patience)
      .toMatchObject({ status: 'ready', delivered: 1, retries: 0 });
    expect(written).toBeLessThan(50_000_000);
  });

  it.each(answers)('that %s has accepted the records', async (name) => {
    await expect.poll(() => statusOf(gateway(), name), patience).toMatchObject({ delivered: 1, retries: 0 });
  });

  it('that redirects is not followed', async () => {
    await expect
      .poll(() => statusOf(gateway(), 'redirecting'), patience)
      .toMatchObject({ status: 'failing', reason: 'It answered 307, and redirects are not followed.', waiting: 1 });
    expect(inside().requests).toEqual([]);
  });

  it('gets nothing unless the operator trusts its address', async () => {
    await expect
      .poll(() => statusOf(gateway(), 'untrusted'), patience)
      .toMatchObject({ status: 'failing', waiting: 1 });
    expect(untrusted().requests).toEqual([]);
  });

  it('that echoes the secrets of a sink does not get them into any message', async () => {
    await expect
      .poll(async () => (await sinkStatus(gateway())).filter(({ sink }) => sink === 'leaking'), patience)
      .toMatchObject([
        { name: 'leaking', status: 'failing', reason: 'Not with …', waiting: 1 },
        { name: 'leaking-2', status: 'failing', reason: 'Not with …', refused: 1 },
        {
          name: 'leaking-3',
          status: 'failing',
          reason: 'The sink did not report the outcome for the records.',
          waiting: 1,
        },
      ]);
    await expect.poll(() => gateway().printed(), patience).toContain('The sink "leaking-3"');
    expect(gateway().printed()).not.toContain(token.slice(0, 12));
  });

  it('gets invalid Unicode and long texts in a form that every reader accepts', async () => {
    const there = inWorkspace('texts');
    const metadata = '{"a":"b\\ud83dc"}';
    await ask(gateway(), { text: 'a\0b\ud83dc', headers: { ...there, 'x-gw-metadata': metadata } });
    // Larger than the 8 MiB that the records of one workspace may take.
    const long = await ask(gateway(), { text: 'x'.repeat(9_000_000), headers: there });
    await ask(gateway(), { text: 'after', headers: there });
    await expect.poll(() => receivedRecords(texts()).length, patience).toBeGreaterThanOrEqual(3);
    const [odd, large] = receivedRecords(texts());
    expect(odd.request.body.messages[0].content).toBe('a\ufffdb\ufffdc');
    expect(odd.metadata).toMatchObject({ a: 'b\ufffdc' });
    const bodies = texts().requests.map(({ body }) => body.toString());
    expect(bodies.join('')).not.toMatch(/\\u(?:0000|d[89a-f])/i);
    expect([large.trace_id, large.request.body.length]).toEqual([long, 1_048_576]);
  });
});

describe.each(waysToServe)("a plugin's sink in a gateway of %s", (_, ways, way) => {
  it.runIf(isSampled(0, way, 2))(
    'that ends its thread loses only its own records, and the thread is restarted',
    async () => {
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
      await expect.poll(() => gateway.printed(), patience).toContain("The thread of the log's sinks has ended");
      await expect
        .poll(
          async () => {
            await ask(gateway);
            return receivedRecords(receiver).length;
          },
          { ...patience, interval: 300 },
        )
        .toBeGreaterThan(2);
      const [falling] = await sinkStatus(gateway);
      expect(falling.dropped).toBeGreaterThan(0);
    },
  );

  it.runIf(isSampled(1, way, 2))(
    'that never answers is given up after its time-out, and delays no other sink',
    async () => {
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
    },
  );

  it.runIf(isSampled(2, way, 2))(
    'that blocks its thread forever delays no request: excess records are dropped, and the gateway ends',
    async () => {
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
      // Each has a request and an answer of a quarter of a megabyte. The waiting records of one workspace may take 8 MB.
      const text = 'x'.repeat(250_000);
      for (let sent = 0; sent < 7; sent += 1)
        await Promise.all(Array.from({ length: 6 }, () => ask(gateway, { text })));
      await expect.poll(async () => (await sinkStatus(gateway))[0].dropped, patience).toBeGreaterThan(10);
      const [{ waiting, dropped }] = await sinkStatus(gateway);
      expect(waiting).toBeLessThan(32);
      expect(waiting + dropped).toBeLessThanOrEqual(43);
      expect(await ask(gateway)).not.toBe('');
      gateway.signal('SIGTERM');
      expect(await gateway.exited).toBe(0);
      expect(gateway.printed()).toMatch(/The sink "endless" of the log:.* Lost records: /);
    },
  );
});
