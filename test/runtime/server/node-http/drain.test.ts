import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../../plugins/sdk/http/http.ts';
import { rawClient } from '../support/raw-client.ts';
import { answer, startServer, type TestServerOptions } from '../support/start-server.ts';

/** Starts a server whose every answer is a stream that the test controls. */
const startHeld = async (options: Partial<TestServerOptions> = {}) => {
  let give = (_sink: Sink): void => {};
  const sink = new Promise<Sink>((resolve) => {
    give = resolve;
  });
  const server = await startServer({
    execute: () => answer({ kind: 'stream', start: give, discard: () => {}, onEnd: () => {} }),
    ...options,
  });
  return { server, sink };
};

const get = 'GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n';
const ready = 'GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n';

describe('a server that drains', () => {
  it('finishes running streams, and then ends although clients keep their connections', async () => {
    const { server, sink } = await startHeld();
    using client = await rawClient(server.port);
    client.send(get);
    const held = await sink;
    held.write(Buffer.from('first '));
    await client.until('first ');
    const drained = server.drain(10_000);
    held.write(Buffer.from('second'));
    held.end();
    expect(await drained).toBe(true);
    expect(await client.ended).toMatch(/first .*second\r\n0\r\n\r\n$/s);
  });

  it('accepts no new connections, and closes idle ones', async () => {
    const { server, sink } = await startHeld();
    using busy = await rawClient(server.port);
    using idle = await rawClient(server.port);
    idle.send(ready);
    await idle.until('"ready"');
    busy.send(get);
    const held = await sink;
    const drained = server.drain(10_000);
    await idle.ended;
    await expect(rawClient(server.port)).rejects.toThrow('ECONNREFUSED');
    held.end();
    expect(await drained).toBe(true);
  });

  it.each(['new', 'kept'] as const)(
    'answers a request that has arrived on a %s connection and is not read yet',
    async (kind) => {
      const { server } = await startHeld();
      using client = await rawClient(server.port);
      if (kind === 'kept') {
        client.send(ready);
        await client.until('"ready"');
      }
      client.send(ready);
      const drained = server.drain(10_000);
      expect(await client.ended).toMatch(/HTTP\/1.1 503 Service Unavailable\r\n.*connection: close.*"draining"/s);
      expect(await drained).toBe(true);
    },
  );

  it('answers that it is not ready, and closes the connections', async () => {
    const { server } = await startHeld();
    using client = await rawClient(server.port);
    client.send(ready);
    await client.until('"ready"');
    client.send(ready.slice(0, 20));
    // A whole request that is sent later shows that the half request has arrived.
    using other = await rawClient(server.port);
    other.send(ready);
    await other.until('"ready"');
    const drained = server.drain(10_000);
    client.send(ready.slice(20));
    expect(await client.ended).toMatch(/HTTP\/1.1 503 Service Unavailable\r\n.*connection: close.*"draining"/s);
    expect(await drained).toBe(true);
  });

  it('cuts off answers that are not finished in time', async () => {
    const { server, sink } = await startHeld();
    using client = await rawClient(server.port);
    client.send(get);
    (await sink).write(Buffer.from('endless'));
    await client.until('endless');
    expect(await server.drain(1)).toBe(false);
    expect(await client.ended).not.toMatch(/0\r\n\r\n$/);
  });

  it.each(['bytes', 'stream'] as const)(
    'lets a slow client receive all of an answer from a body of %s',
    async (kind) => {
      const bytes = Buffer.alloc(20 * 1024 * 1024, 'x');
      const start = (sink: Sink): void => {
        sink.write(bytes);
        sink.end();
      };
      const stream = { kind: 'stream', start, discard: () => {}, onEnd: () => {} } as const;
      const server = await startServer({ execute: () => answer(kind === 'bytes' ? { kind, bytes } : stream) });
      using client = await rawClient(server.port);
      client.send(get);
      await client.until('HTTP/1.1 200');
      client.socket.pause();
      const drained = server.drain(10_000);
      client.socket.resume();
      const received = await client.ended;
      expect(received.length - received.indexOf('\r\n\r\n')).toBeGreaterThan(bytes.length);
      expect(await drained).toBe(true);
    },
  );

  describe('pipelined requests on a connection', () => {
    const ask = (n: number): string => `GET /v1/x?n=${n} HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n`;

    /** Starts a server whose answers wait for the test, and which records the numbers of the requests that it serves. */
    const startCounted = async () => {
      const held = new Map<number, (text: string) => void>();
      const server = await startServer({
        execute: ({ request }) =>
          new Promise((resolve) => {
            const n = Number(new URL(request.path, 'http://localhost').searchParams.get('n'));
            held.set(n, (text) => resolve(answer(text)));
          }),
      });
      const served = (): number[] => [...held.keys()];
      return { server, served, give: (n: number) => held.get(n)?.(`{"n":${n}}`) };
    };

    it('are all answered, and the last answer closes it', async () => {
      const { server, served, give } = await startCounted();
      using client = await rawClient(server.port);
      client.send(ask(1) + ask(2) + ask(3));
      await expect.poll(served).toEqual([1, 2, 3]);
      const drained = server.drain(10_000);
      for (const n of [2, 1, 3]) give(n);
      const [first, second, third, ...more] = (await client.ended).split(/(?=HTTP\/1.1 200)/);
      expect([first, second, more]).toEqual([expect.stringMatching(/"n":1/), expect.stringMatching(/"n":2/), []]);
      expect(`${first}${second}`).not.toContain('connection: close');
      expect(third).toMatch(/connection: close.*"n":3/s);
      expect(await drained).toBe(true);
    });

    /** Sends half a request. The other half arrives after everything that was sent before. */
    const halfSent = async (port: number) => {
      const client = await rawClient(port);
      client.send(ready);
      await client.until('"ready"');
      client.send(ready.slice(0, 20));
      const other = await rawClient(port);
      other.send(ready);
      await other.until('"ready"');
      other.socket.destroy();
      return {
        arrived: async () => {
          client.send(ready.slice(20));
          await client.ended;
        },
      };
    };

    it('are not served after an answer that closes it, even while that answer waits for its turn', async () => {
      const { server, served, give } = await startCounted();
      using client = await rawClient(server.port);
      client.send(ask(1) + ask(2));
      await expect.poll(served).toEqual([1, 2]);
      const later = await halfSent(server.port);
      const drained = server.drain(10_000);
      give(2);
      client.send(ask(3));
      await later.arrived();
      give(1);
      const all = await client.ended;
      expect(served()).toEqual([1, 2]);
      expect(all).toMatch(/"n":1.*connection: close.*"n":2/s);
      expect(await drained).toBe(true);
    });

    it.each([
      ['arrive while it drains', 2],
      ['wait for earlier ones', 40],
    ])('are not served if they %s, and the last answer before them closes it', async (_, count) => {
      const { server, served, give } = await startCounted();
      const running = Math.min(count, 32);
      using client = await rawClient(server.port);
      client.send(Array.from({ length: count }, (_each, at) => ask(at + 1)).join(''));
      await expect.poll(served).toHaveLength(running);
      const later = await halfSent(server.port);
      const drained = server.drain(10_000);
      client.send(ask(count + 1));
      await later.arrived();
      for (const n of served()) give(n);
      const answers = (await client.ended).split(/(?=HTTP\/1.1 200)/);
      expect(answers).toHaveLength(running);
      expect(answers.at(-1)).toMatch(/connection: close/);
      expect(served()).toHaveLength(running);
      expect(await drained).toBe(true);
    });
  });
});
