import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Upstream } from '../../../plugins/sdk/http/http.ts';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import { answered, get, post, toScope } from '../streams/kit.ts';
import { closeAfterTest } from './kit.ts';

interface Answering {
  readonly origin: string;
  readonly upstream: Upstream;
  /** The sockets of the server, in the order in which they were accepted. */
  readonly sockets: readonly Socket[];
}

/** Starts a server that answers everything immediately, and opens its upstream, until the end of the test. */
const startAnswering = async (onAnswered: (socket: Socket) => void = () => {}): Promise<Answering> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket
      .on('error', () => {})
      .on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK');
        onAnswered(socket);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'] });
  const closed = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  closeAfterTest({ close: closed }, upstreams);
  return { origin, upstream: upstreams.open(origin, { operatorHost: true }), sockets };
};

describe('a connection', () => {
  it('is not reused if a request was answered before it was sent completely', async () => {
    const { origin, upstream, sockets } = await startAnswering((socket) => socket.pause());
    const early = answered(await upstream.send(post(origin, Buffer.alloc(32 * 1024 * 1024)), toScope()));
    await early.body.collect(10);
    const next = answered(await upstream.send(get(origin), toScope()));
    expect([early.status, next.status, sockets.length]).toEqual([200, 200, 2]);
  });

  it('that is reset before a request is written to it fails no request', async () => {
    const { origin, upstream, sockets } = await startAnswering();
    await answered(await upstream.send(get(origin), toScope())).body.collect(10);
    // undici reuses a connection one turn of the event loop later.
    await new Promise((resolve) => setImmediate(resolve));
    const sending = upstream.send(post(origin, 'Hello'), toScope());
    // The request is passed to undici at the end of this turn, and undici writes it at the end of the next one.
    setImmediate(() => sockets[0]?.resetAndDestroy());
    const next = answered(await sending);
    expect([next.status, sockets.length]).toEqual([200, 2]);
  });
});
