import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { peerAddress } from '../../../../runtime/http/exchange/peer-address.ts';

/** Returns the peer address of a client that connects to `to`, if the gateway listens on `host`. */
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
  'the peer address is that of the connection if the gateway listens on %s, whatever headers say',
  async (host) => {
    expect(await seen(host, '127.0.0.1')).toBe('127.0.0.1');
  },
);

it('the peer address is undefined without a connection', () => {
  expect(peerAddress(undefined)).toBeUndefined();
});
