import { once } from 'node:events';
import { createServer } from 'node:net';

/** A server without TLS that answers plain HTTP requests in plain HTTP. */
export interface PlainServer {
  readonly port: number;
  close(): void;
}

export const startPlainServer = async (): Promise<PlainServer> => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { port: address.port, close: () => void server.close() };
};
