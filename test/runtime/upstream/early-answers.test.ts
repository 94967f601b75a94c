import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import type { UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import { answered, toScope } from '../streams/kit.ts';
import { closeAfterTest } from './kit.ts';

/** Answers after the first bytes of a request and resets the connection. Runs in a thread, to do so while the rest is sent. */
const hasty = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 413 Content Too Large\\r\\ncontent-length: 9\\r\\n\\r\\ntoo large');
      setImmediate(() => socket.resetAndDestroy());
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const megabytes = Array.from({ length: 20 }, () => Buffer.alloc(1_000_000, 'x'));

it.each<[string, () => UpstreamRequest['body']]>([
  ['bytes', () => ({ kind: 'bytes', bytes: Buffer.concat(megabytes) })],
  ['a stream', () => ({ kind: 'stream', stream: Readable.from(megabytes, { objectMode: false }) })],
])(
  'an answer that arrived before its connection was reset is returned even if %s was not sent completely',
  async (_, toBody) => {
    const worker = new Worker(hasty, { eval: true });
    onTestFinished(async () => void (await worker.terminate()));
    const [port]: readonly unknown[] = await once(worker, 'message');
    const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'] });
    closeAfterTest(upstreams);
    const origin = `http://127.0.0.1:${port}`;
    const upstream = upstreams.open(origin, { operatorHost: true });
    for (let each = 0; each < 30; each += 1) {
      const request: UpstreamRequest = { method: 'POST', origin, path: '/', headers: [], body: toBody() };
      const { status, body } = answered(await upstream.send(request, toScope()));
      expect(status).toBe(413);
      expect(String(await body.collect(100))).toBe('too large');
    }
  },
);
