import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteStream } from '../../../../../plugins/sdk/http/http.ts';
import { createServer, request } from '../../../../../plugins/sdk/http/node-http.ts';
import { uploadProgress } from '../../../../../runtime/engine/attempt/answer/upload-progress.ts';

const server = createServer();

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

/** Begins an upload, and returns both of its ends. */
const upload = async () => {
  const { port } = server.address() as AddressInfo;
  const client = request({ host: '127.0.0.1', port, method: 'POST' });
  client.on('error', () => {});
  client.write('first');
  const [received]: IncomingMessage[] = await once(server, 'request');
  return { client, received: received ?? expect.unreachable() };
};

const progressOf = (stream: ByteStream): (() => boolean) => uploadProgress({ kind: 'stream', stream });

describe('the upload of a body', () => {
  it('progresses from a socket only if bytes have arrived since the last call', async () => {
    const { client, received } = await upload();
    const isUploading = progressOf(received);
    received.resume();
    await once(received, 'data');
    expect([isUploading(), isUploading()]).toEqual([true, false]);
    client.write('second');
    await once(received, 'data');
    expect([isUploading(), isUploading()]).toEqual([true, false]);
    client.end();
    await once(received, 'end');
    expect(isUploading()).toBe(false);
  });

  it('is over if the client has disconnected', async () => {
    const { client, received } = await upload();
    const isUploading = progressOf(received);
    client.destroy();
    await once(received, 'error');
    expect(isUploading()).toBe(false);
  });

  it('progresses from any other stream until its end', async () => {
    const stream = new PassThrough();
    const isUploading = progressOf(stream);
    expect([isUploading(), isUploading()]).toEqual([true, true]);
    stream.resume().end();
    await once(stream, 'end');
    expect(isUploading()).toBe(false);
  });

  it('progresses from any other stream until that is destroyed', () => {
    const stream = new PassThrough();
    const isUploading = progressOf(stream);
    expect(isUploading()).toBe(true);
    stream.destroy();
    expect(isUploading()).toBe(false);
  });

  it('is over if the body is known from the start', () => {
    expect(uploadProgress({ kind: 'none' })()).toBe(false);
    expect(uploadProgress({ kind: 'bytes', bytes: Buffer.from('{}') })()).toBe(false);
  });
});
