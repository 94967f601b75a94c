import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { peerAddress } from '../../../../runtime/http/exchange/peer-address.ts';

/** What is said of a client that connects to `to`, where the gateway listens on `host`. */
const seen = async (host: string, to: string): Promise<string | undefined> => {
  const server = createServer().listen(0, host);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, to);
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.7\r\n\r\n');
  const [request, response] = await once(server, 'request');
  return peerAddress({ request, response });
};

it.each(['127.0.0.1', '::'])(
  'is the address of the connection where %s is listened on, whatever headers say',
  async (host) => {
    expect(await seen(host, '127.0.0.1')).toBe('127.0.0.1');
  },
);

it('is not there without a connection', () => {
  expect(peerAddress(undefined)).toBeUndefined();
});
