import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl } from '../../support/servers/certificates.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { chat } from './support/http2-client.ts';
import { sharedTlsGateway, startTlsGateway, type TlsGateway } from './support/tls-gateway.ts';

interface RawTls {
  readonly socket: TLSSocket;
  /** Returns everything received so far. */
  received(): string;
  readonly closed: Promise<void>;
}

/** Opens an HTTP/1.1 connection and completes its handshake. */
const connectRaw = async ({ gateway, authority }: TlsGateway): Promise<RawTls> => {
  const { port } = new URL(gateway.origin);
  const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca: authority.pem });
  onTestFinished(() => void socket.destroy());
  let text = '';
  const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()));
  socket.on('error', () => {});
  socket.on('data', (part) => {
    text += part;
  });
  await once(socket, 'secureConnect');
  return { socket, received: () => text, closed };
};

const post = (body: string, lines = ''): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-gw-config: {"provider":"echo"}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines}\r\n${body}`;

const count = (text: string, wanted: string): number => text.split(wanted).length - 1;

/** For tests that do not stop it. */
const shared = sharedTlsGateway({ settings: { limits: { body_bytes: 10_000 } } });

describe.skipIf(!hasOpenssl)('HTTP/1.1 over TLS', () => {
  it('answers pipelined requests in one packet in their order', async () => {
    const { socket, received } = await connectRaw(shared());
    const bodies = Array.from({ length: 100 }, (_, at) =>
      chat({ messages: [{ role: 'user', content: `number ${at};` }] }),
    );
    socket.write(bodies.map((body) => post(body)).join(''));
    await vi.waitFor(() => expect(count(received(), 'HTTP/1.1 200 OK')).toBe(100), patience);
    const order = [...received().matchAll(/number (\d+);/g)].map(([, at]) => Number(at));
    expect(order).toEqual(bodies.map((_, at) => at));
  });

  it('sends the answer to a body that is too long before the whole body has arrived', async () => {
    const { socket, received, closed } = await connectRaw(shared());
    socket.write(post('x'.repeat(4_000_000)));
    await vi.waitFor(() => expect(received()).toContain('HTTP/1.1 413'), patience);
    socket.end();
    await closed;
  });

  it('answers 400 to bytes that are no request', async () => {
    const { socket, received, closed } = await connectRaw(shared());
    socket.write('no request\r\n\r\n');
    await closed;
    expect(received()).toContain('HTTP/1.1 400');
  });

  it('closes unused and idle connections when the gateway shuts down', async () => {
    const world = await startTlsGateway();
    const unused = await connectRaw(world);
    const idle = await connectRaw(world);
    idle.socket.write(post(chat()));
    await vi.waitFor(() => expect(idle.received()).toContain('"Hello!"'), patience);
    world.gateway.signal('SIGTERM');
    await Promise.all([unused.closed, idle.closed]);
    expect(await world.gateway.exited).toBe(0);
    expect(world.gateway.printed()).not.toContain('were aborted');
  });

  it('finishes running requests when the gateway shuts down', async () => {
    const [world, upstream] = await Promise.all([startTlsGateway(), startUpstream()]);
    onTestFinished(() => upstream.close());
    const release = Promise.withResolvers<void>();
    upstream.handle(async ({ answer }) => {
      await release.promise;
      answer({ body: 'the answer' });
    });
    const unused = await connectRaw(world);
    const { socket, received, closed } = await connectRaw(world);
    const config = JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1` });
    socket.write(`GET /v1/unknown HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config}\r\n\r\n`);
    await vi.waitFor(() => expect(upstream.requests).toHaveLength(1), patience);
    world.gateway.signal('SIGTERM');
    // From here on it drains.
    await unused.closed;
    release.resolve();
    await closed;
    expect(received()).toMatch(/connection: close\r\n[\s\S]*the answer/i);
    expect(await world.gateway.exited).toBe(0);
  });

  it('is used by gw doctor to check whether a gateway listens', async () => {
    const { gateway } = shared();
    const { port } = new URL(gateway.origin);
    const found = await runGw(gateway.folder, ['doctor', '--port', port, '--offline', '--format', 'json']);
    expect(found.out).toContain('A gateway answers there already.');
  });
});
