import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2Session } from 'node:http2';
import { connect as connectPlain } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { type Listening, listen } from '../../../runtime/server/node-http/listen.ts';
import type { RequestListener } from '../../../runtime/server/node-http/request-listener.ts';
import { tlsTransport } from '../../../runtime/server/tls/tls-transport.ts';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { chat, chatHead, connectHttp2, type Http2Client, readAnswer } from './support/http2-client.ts';
import { endHeaders, endStream, frames, preface, toFrame, toSection } from './support/raw-frames.ts';
import { sharedTlsGateway } from './support/tls-gateway.ts';

interface Listener {
  readonly origin: string;
  readonly port: number;
  readonly ca: string;
}

/** Listens with one function for all requests, and with a short stall time-out for clients. */
const listenWith = async (multiplexed: RequestListener, stallMs = 100): Promise<Listener> => {
  const authority = makeAuthority();
  const { cert, key } = authority.issue();
  const { open } = tlsTransport({
    certificates: [{ context: { cert, key }, certificate: new X509Certificate(cert) }],
    clients: 'none',
  });
  const { port, close } = await listen({
    ...{ host: '127.0.0.1', port: 0, listener: multiplexed, headerBytes: 65_536, clock: systemClock, stallMs },
    secure: { open, multiplexed, draining: () => false },
  });
  onTestFinished(close);
  return { origin: `https://127.0.0.1:${port}`, port, ca: authority.pem };
};

/** A clock whose timers are twenty times as fast. */
const fastClock: Clock = { ...systemClock, after: (ms, callback) => systemClock.after(ms / 20, callback) };

/** Serves requests with one function, and drains for at most this many milliseconds of a fast clock. */
const drainWith = async (multiplexed: RequestListener): Promise<Listener & Pick<Listening, 'drain'>> => {
  const authority = makeAuthority();
  const { cert, key } = authority.issue();
  const { open } = tlsTransport({
    certificates: [{ context: { cert, key }, certificate: new X509Certificate(cert) }],
    clients: 'none',
  });
  const { port, close, drain } = await listen({
    ...{ host: '127.0.0.1', port: 0, listener: multiplexed, headerBytes: 65_536, clock: fastClock },
    secure: { open, multiplexed, draining: () => false },
  });
  onTestFinished(close);
  return { origin: `https://127.0.0.1:${port}`, port, ca: authority.pem, drain };
};

describe.skipIf(!hasOpenssl)('a draining gateway', () => {
  it('does not wait for the requests of an HTTP/2 client that has vanished', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { port, ca, drain } = await drainWith(() => resolve());
    const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'], servername: 'localhost' });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    const flags = endHeaders | endStream;
    const settings = toFrame({ type: frames.settings });
    const head = toFrame({ type: frames.headers, flags, stream: 1, payload: postHead });
    socket.write(Buffer.concat([Buffer.from(preface), settings, head]));
    await arrived;
    expect(await drain(200_000)).toBe(true);
  });

  it('waits for the answer to an HTTP/2 client that is still there', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { origin, ca, drain } = await drainWith((_, response) => {
      resolve();
      fastClock.after(50_000, () => response.end('late'));
    });
    const { ask } = await connectHttp2(origin, { ca });
    const answer = ask({ ':path': '/' });
    await arrived;
    const drained = drain(200_000);
    expect((await answer).text).toBe('late');
    expect(await drained).toBe(true);
  });
});

const postHead = toSection({ ':method': 'POST', ':scheme': 'https', ':path': '/', ':authority': 'localhost' });
const field = toSection({ 'x-a': 'a'.repeat(100) });

const repeat = (frame: Buffer): Buffer => Buffer.concat(Array.from({ length: 2000 }, () => frame));

/** A hundred streams that are reset as soon as they are open. */
const toResets = (round: number): Buffer =>
  Buffer.concat(
    Array.from({ length: 100 }, (_, at) => {
      const stream = 2 * (100 * round + at) + 1;
      const reset = toFrame({ type: frames.reset, stream, payload: Buffer.from([0, 0, 0, at % 2 === 0 ? 8 : 2]) });
      return Buffer.concat([toFrame({ type: frames.headers, flags: endHeaders, stream, payload: postHead }), reset]);
    }),
  );

const toEmptyParts = (round: number): Buffer =>
  round === 0
    ? toFrame({ type: frames.headers, flags: endHeaders, stream: 1, payload: postHead })
    : repeat(toFrame({ type: frames.data, stream: 1 }));

const startClient = async (listener: RequestListener, stallMs?: number): Promise<Http2Client> => {
  const { origin, ca } = await listenWith(listener, stallMs);
  return connectHttp2(origin, { ca });
};

describe.skipIf(!hasOpenssl)('an HTTP/2 client that stalls', () => {
  it('during its body gets a 408 that says so', async () => {
    const { open } = await startClient((request) => void request.resume());
    const stream = open(chatHead());
    stream.write('{');
    const { status, text } = await readAnswer(stream);
    expect([status, JSON.parse(text).error.code]).toEqual([408, 'request-stalled']);
  });

  it('during its body after its answer has begun is reset', async () => {
    const { open } = await startClient((request, response) => {
      request.resume();
      response.writeHead(200, ['content-type', 'text/plain']);
      response.write(Buffer.from('12345'));
    });
    const stream = open(chatHead());
    stream.write('{');
    await expect(readAnswer(stream)).rejects.toThrow();
  });

  it('and reads nothing of its answer is reset, and its resources are released', async () => {
    const closed = Promise.withResolvers<void>();
    const { open } = await startClient((_, response) => {
      response.on('close', closed.resolve);
      response.end(Buffer.alloc(4 * 1024 * 1024));
    });
    const stream = open({ ':path': '/' }, { endStream: true });
    stream.on('error', () => {});
    await closed.promise;
  });

  it('is not reset if it reads its answer slowly', async () => {
    const { open } = await startClient((_, response) => response.end(Buffer.alloc(1024 * 1024)), 400);
    const stream = open({ ':path': '/' }, { endStream: true });
    let received = 0;
    stream.on('data', (part: Buffer) => {
      received += part.length;
      stream.pause();
      setTimeout(() => stream.resume(), 20);
    });
    await once(stream, 'close');
    expect([received, stream.rstCode]).toEqual([1024 * 1024, 0]);
  });

  it('is not reset while it waits for its answer, however long that takes', async () => {
    const { ask } = await startClient((request, response) => {
      request.resume();
      setTimeout(() => response.end('late'), 400);
    });
    expect((await ask({ ':path': '/' })).text).toBe('late');
  });
});

describe.skipIf(!hasOpenssl)('an HTTP/2 client that floods the gateway', () => {
  const shared = sharedTlsGateway();

  /** Opens a connection and writes the same frames repeatedly until the gateway closes it. */
  const flood = (origin: string, ca: string, toFrames: (round: number) => Buffer, reads = true): Promise<void> =>
    new Promise((resolve) => {
      const socket = connectTls({
        ...{ port: Number(new URL(origin).port), host: '127.0.0.1', servername: 'localhost' },
        ...{ ca, ALPNProtocols: ['h2'] },
      });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      let round = 0;
      const send = (): void => {
        if (!socket.writable) return;
        socket.write(toFrames(round), () => void setImmediate(send));
        round += 1;
      };
      socket.once('secureConnect', () => {
        socket.write(preface);
        socket.write(toFrame({ type: frames.settings }));
        send();
      });
      if (reads) socket.resume();
    });

  it.each<[string, (round: number) => Buffer, boolean]>([
    ['streams that it resets', toResets, true],
    [
      'pings whose answers it does not read',
      () => repeat(toFrame({ type: frames.ping, payload: Buffer.alloc(8) })),
      false,
    ],
    ['settings whose answers it does not read', () => repeat(toFrame({ type: frames.settings })), false],
    ['empty frames of a body', toEmptyParts, true],
    [
      'a header section that does not end',
      (round) => toFrame({ type: round === 0 ? frames.headers : frames.continuation, stream: 1, payload: field }),
      true,
    ],
  ])('with %s is disconnected, and others are served', async (_, toFrames, reads) => {
    const { gateway, authority } = shared();
    await flood(gateway.origin, authority.pem, toFrames, reads);
    const other = await connectHttp2(gateway.origin, { ca: authority.pem });
    expect((await other.ask(chatHead(), chat())).status).toBe(200);
  });

  it('with the body of an answered request is disconnected, even while another request is served', async () => {
    let isLeft = false;
    let isAnswered = false;
    const { port, ca, origin } = await listenWith((request, response) => {
      response.on('close', () => {
        if (request.url === '/wait') isLeft = true;
        else isAnswered = true;
      });
      if (request.url !== '/wait') response.end('answered');
    }, 600_000);
    const head = (path: string) =>
      toSection({ ':method': 'POST', ':scheme': 'https', ':path': path, ':authority': 'localhost' });
    await flood(`https://127.0.0.1:${port}`, ca, (round) =>
      round === 0
        ? Buffer.concat([
            toFrame({ type: frames.headers, flags: endHeaders + endStream, stream: 1, payload: head('/wait') }),
            toFrame({ type: frames.headers, flags: endHeaders, stream: 3, payload: head('/') }),
          ])
        : isAnswered
          ? repeat(toFrame({ type: frames.data, stream: 3 }))
          : Buffer.alloc(0),
    );
    await vi.waitFor(() => expect(isLeft).toBe(true), patience);
    const other = await connectHttp2(origin, { ca });
    expect((await other.ask({ ':path': '/' })).text).toBe('answered');
  });

  it('does not include one whose requests are repeatedly answered before their bodies end', async () => {
    const { origin, ca } = await listenWith((request, response) => {
      if (request.url === '/wait') setTimeout(() => response.end('late'), 3000);
      else response.end('answered');
    });
    const { ask, open, session } = await connectHttp2(origin, { ca });
    const late = ask({ ':path': '/wait' });
    let rejected = 0;
    for (let nth = 0; nth < 150; nth += 1) {
      const stream = open(chatHead());
      stream.on('error', () => {});
      stream.write(Buffer.alloc(64 * 1024, 97));
      rejected += (await readAnswer(stream)).text === 'answered' ? 1 : 0;
    }
    expect([rejected, (await late).text, session.destroyed]).toEqual([150, 'late', false]);
  });

  it('with more requests than it may have in flight gets the rest refused', async () => {
    let running = 0;
    let most = 0;
    const { origin, ca } = await listenWith((_, response) => {
      running += 1;
      most = Math.max(most, running);
      response.on('close', () => {
        running -= 1;
      });
      setTimeout(() => response.end('done'), 50);
    });
    // It sends all of them before it has read how many it may have.
    const session = connectHttp2Session(origin, { ca, peerMaxConcurrentStreams: 1000 });
    session.on('error', () => {});
    onTestFinished(() => session.destroy());
    const answers = Array.from({ length: 200 }, () => readAnswer(session.request({ ':path': '/' })));
    const settled = await Promise.allSettled(answers);
    expect(settled.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(most).toBeLessThanOrEqual(32);
  });
});

/** Serves requests with one function, on connections with these time-outs. `connections` returns how many there are. */
const serveWith = async (
  multiplexed: RequestListener,
  patienceMs: { readonly keepAliveMs: number; readonly stallMs: number },
): Promise<Listener & { readonly connections: () => Promise<number> }> => {
  const authority = makeAuthority();
  const { cert, key } = authority.issue();
  const { server, close } = tlsTransport({
    certificates: [{ context: { cert, key }, certificate: new X509Certificate(cert) }],
    clients: 'none',
  }).open({
    ...{ listener: multiplexed, multiplexed, headerBytes: 65_536, clock: systemClock, draining: () => false },
    ...patienceMs,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const connections = promisify(server.getConnections.bind(server));
  return { origin: `https://127.0.0.1:${port}`, port, ca: authority.pem, connections };
};

describe.skipIf(!hasOpenssl)('an HTTP/2 connection without requests', () => {
  it('is closed after a time-out, but not while it has a request', async () => {
    const { origin, ca } = await serveWith((_, response) => void setTimeout(() => response.end('late'), 1000), {
      ...{ keepAliveMs: 200, stallMs: 10_000 },
    });
    const { ask, session } = await connectHttp2(origin, { ca });
    const goaway = once(session, 'goaway');
    expect((await ask({ ':path': '/' })).text).toBe('late');
    const [code] = await goaway;
    expect(code).toBe(0);
    await vi.waitFor(() => expect(session.destroyed).toBe(true), patience);
  });
});

describe.skipIf(!hasOpenssl)('HTTP/2 clients that vanish while they send', () => {
  it('leave no request and no connection, even if node:http2 does not notice each of them', async () => {
    let open = 0;
    const { port, ca, connections } = await serveWith(
      (request, response) => {
        open += 1;
        response.on('close', () => {
          open -= 1;
        });
        request.on('error', () => {}).resume();
      },
      { keepAliveMs: 200, stallMs: 200 },
    );
    for (let round = 0; round < 40; round += 1) {
      const plain = connectPlain(port, '127.0.0.1');
      const tls = connectTls({ socket: plain, ca, ALPNProtocols: ['h2'], servername: 'localhost' });
      await once(tls, 'secureConnect');
      const client = await connectHttp2(`https://localhost:${port}`, { createConnection: () => tls });
      const streams = Array.from({ length: 4 }, () => client.open({ ':method': 'POST', ':path': '/' }));
      for (const stream of streams) stream.on('error', () => {}).end(Buffer.alloc(200_000));
      for (let turn = 0; turn < round; turn += 1) await nextTurn();
      plain.resetAndDestroy();
    }
    await vi.waitFor(async () => expect([open, await connections()]).toEqual([0, 0]), patience);
  });
});

describe.skipIf(!hasOpenssl)('clients that do not complete their handshake', () => {
  it('are disconnected if there are too many, the oldest first, while others are served', async () => {
    const { origin, port, ca } = await listenWith((_, response) => response.end('served'), 10_000);
    let closed = 0;
    const sockets = await Promise.all(
      Array.from({ length: 1010 }, async () => {
        const socket = connectPlain(port, '127.0.0.1');
        socket.on('error', () => {});
        socket.on('close', () => {
          closed += 1;
        });
        socket.resume();
        await once(socket, 'connect');
        return socket;
      }),
    );
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await vi.waitFor(() => expect(closed).toBe(10), patience);
    for (let nth = 1; nth <= 3; nth += 1) {
      const { ask } = await connectHttp2(origin, { ca });
      expect((await ask({ ':path': '/' })).text).toBe('served');
      // Connections that have completed their handshake do not count.
      await vi.waitFor(() => expect(closed).toBe(10 + 1), patience);
    }
    expect(sockets.map(({ closed: isClosed }) => isClosed).lastIndexOf(true)).toBe(10);
  });
});
