import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and a local server that can simulate network failures. */
export interface TcpProxy {
  readonly port: number;
  /** Closes all connections, and refuses new ones. */
  cut(): void;
  /** Forwards new connections again. Connections that were frozen stay frozen. */
  mend(): void;
  /** Connects new connections to another server. Open connections stay. */
  redirect(to: number): void;
  /** Forwards nothing, and closes nothing. */
  freeze(): void;
  close(): Promise<void>;
}

export const startProxy = async (first: number): Promise<TcpProxy> => {
  let to = first;
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';
  const track = (socket: Socket, peer: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (part) => peer.write(part));
    socket.on('close', () => {
      sockets.delete(socket);
      if (state !== 'frozen') peer.destroy();
    });
    if (state === 'frozen') socket.pause();
  };
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy();
    const upstream = connect(to, '127.0.0.1');
    track(client, upstream);
    track(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut() {
      state = 'cut';
      endAll();
    },
    mend() {
      state = 'open';
    },
    redirect(next) {
      to = next;
    },
    freeze() {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
};
