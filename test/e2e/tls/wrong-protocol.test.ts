import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { hasOpenssl } from '../../support/servers/certificates.ts';
import { startTlsGateway } from './support/tls-gateway.ts';

/** Sends bytes without TLS, and reads until the connection ends. */
const exchange = async ({ origin }: GatewayProcess, bytes: string | Uint8Array): Promise<string> => {
  const socket: Socket = connectPlain(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // Bytes after the head may be rejected while they are sent.
  socket.on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return text;
};

it.skipIf(!hasOpenssl)('plain HTTP to a TLS port gets one sentence that says so', async () => {
  const { gateway } = await startTlsGateway();
  const heads = [
    'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n',
    'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}',
    `PUT / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n`,
    'CONNECT localhost:443 HTTP/1.1\r\nhost: localhost:443\r\n\r\n',
  ];
  for (const head of heads) {
    const text = await exchange(gateway, head);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/json\r\n/);
    expect(text).toContain('\r\nconnection: close\r\n');
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: {
        message:
          'This port requires TLS, but the request was sent without it. Use https:// in the URL instead of http://.',
        ...{ type: 'invalid_request_error', param: null, code: 'tls-required' },
      },
    });
  }
  const answer = await fetch(`${gateway.origin.replace('https', 'http')}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm' }),
  });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('tls-required')]);
  // Bytes that are neither get no answer, and the gateway still serves.
  const neither = ['hello?\r\n', Buffer.alloc(5000, 255), Buffer.from([22, 3, 1, 0, 0])];
  for (const text of await Promise.all(neither.map((bytes) => exchange(gateway, bytes))))
    expect(text).not.toContain('HTTP');
  expect(gateway.printed()).not.toMatch(/error|undefined/i);
});

it('TLS to a plain port is closed without an answer, and the operator gets one line about it', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.stop());
  const port = Number(new URL(gateway.origin).port);
  for (let nth = 0; nth < 5; nth += 1) {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    const [error] = await once(socket, 'error');
    expect(String(error)).toMatch(/disconnected before secure TLS connection|ECONNRESET/);
  }
  expect(await (await fetch(`${gateway.origin}/livez`)).text()).toContain('alive');
  const lines = gateway.printed().split('\n');
  expect(lines.filter((line) => line.includes('spoke TLS'))).toEqual([
    'gw: A client spoke TLS to this port, which serves plain HTTP, so its connection was closed. Use http:// in the client, or set "listen.tls" in the gateway file.',
  ]);
  // Bytes that begin like this within a request are part of it.
  expect(await exchange(gateway, 'GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toContain(
    'alive',
  );
});
