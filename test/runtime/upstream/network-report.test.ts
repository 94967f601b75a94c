import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { networkReport } from '../../../runtime/upstream/network-report.ts';

const coded = (code: string): Error => Object.assign(new Error('connect x https://h/p?key=sk-secret'), { code });

const readReason = (error: unknown): string => networkReport(error, 'h', false).message.replace(/ Check .*$/, '');

describe('networkReport', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ENOTFOUND', 'its name does not resolve'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
    ['ERR_SSL_BAD_RECORD', 'the TLS handshake failed'],
    ['EWHATEVER', 'the connection failed (EWHATEVER)'],
  ])('reports for %s that %s', (code, reason) =>
    expect(readReason(coded(code))).toBe(`The provider at h could not be reached: ${reason}.`),
  );

  it('uses the reason of the first of several failed addresses', () => {
    expect(readReason(new AggregateError([coded('ENETUNREACH'), coded('ECONNREFUSED')]))).toContain(
      'there is no route to its network',
    );
  });

  it('never repeats the message of an error', () => {
    for (const error of [coded('EWHATEVER'), new Error('sk-secret'), 'sk-secret', undefined])
      expect(networkReport(error, 'h', false).message).not.toContain('sk-secret');
  });

  it('distinguishes a lost connection from one that was never established', () => {
    expect(networkReport(coded('ECONNRESET'), 'h', true).code).toBe('connection-lost');
    expect(networkReport(coded('ECONNRESET'), 'h', false).code).toBe('connection-failed');
  });
});

/** Returns a TLS record with a fatal alert (RFC 8446 §6). */
const alert = (description: number): Buffer => Buffer.from([21, 3, 3, 0, 2, 2, description]);

/** Starts a handshake with a server that answers with these bytes, and returns the error of Node. */
const failHandshake = async (bytes: Buffer | string): Promise<unknown> => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost' });
  const [error] = await once(socket, 'error');
  socket.destroy();
  return error;
};

describe('networkReport of a TLS handshake', () => {
  it.each<[string, Buffer | string, string]>([
    ['plain HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'its answer is not TLS'],
    ['handshake_failure', alert(40), 'the TLS handshake failed'],
    ['bad_certificate', alert(42), "it does not accept the gateway's certificate"],
    ['certificate_expired', alert(45), "the gateway's certificate has expired"],
    ['certificate_unknown', alert(46), "it does not accept the gateway's certificate"],
    ['unknown_ca', alert(48), "it does not know the authority of the gateway's certificate"],
    ['protocol_version', alert(70), 'it does not speak TLS 1.2 or newer'],
    ['unrecognized_name', alert(112), 'it does not recognise the host name of the request'],
    ['certificate_required', alert(116), 'it asks for a certificate of the gateway'],
  ])('explains the failure if the answer is %s', async (_, bytes, reason) =>
    expect(readReason(await failHandshake(bytes))).toBe(`The provider at h could not be reached: ${reason}.`),
  );
});
