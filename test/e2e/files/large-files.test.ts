import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { bedrockKeys } from '../../support/vendors/storage/aws-keys.ts';
import { caller, forUs, startFiles } from './support.ts';

/** 40 MB, or the value of `FILE_MB`: 512 for the largest file that the gateway keeps by default. */
const megabytes = Number(process.env.FILE_MB ?? 40);
const total = megabytes * 1024 ** 2;

/** The peak memory of a process, in megabytes. */
const peak = ({ pid }: GatewayProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The number of files in a folder that a process has open. */
const openFiles = ({ pid }: GatewayProcess, folder: string): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).includes(folder);
    } catch {
      return false;
    }
  }).length;

const part = Buffer.from('a line of a file, and another one\n'.repeat(4_000));

/** Bytes that are not all the same, and their checksum once they have all been read. */
const source = (): Iterable<Buffer> & { readonly sum: () => string } => {
  const hash = createHash('sha256');
  return {
    sum: () => hash.digest('hex'),
    *[Symbol.iterator](): Generator<Buffer, void> {
      for (let sent = 0; sent < total; sent += part.length) {
        const piece = part.subarray(0, total - sent);
        hash.update(piece);
        yield piece;
      }
    },
  };
};

const head = [
  '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n',
  '--b\r\ncontent-disposition: form-data; name="file"; filename="large.jsonl"\r\n\r\n',
].join('');
const tail = '\r\n--b--\r\n';

const upload = (
  { baseUrl }: GatewayProcess,
  bytes: Iterable<Buffer>,
  to: Record<string, string> = forUs,
): Promise<{ readonly id: string; readonly bytes: number }> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...{ ...to, 'x-gw-api-key': adminKey, 'content-type': 'multipart/form-data; boundary=b' },
      'content-length': head.length + total + tail.length,
    };
    const sending = request(`${baseUrl}/files`, { method: 'POST', headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      if (answer.statusCode === 200) resolve(JSON.parse(text));
      else reject(new Error(text));
    });
    const form = function* (): Generator<Buffer | string, void> {
      yield head;
      yield* bytes;
      yield tail;
    };
    pipeline(form, sending).catch(reject);
  });

it.skipIf(process.platform !== 'linux')(
  'keeps and returns a large file in bounded memory, and stops reading it if the client disconnects',
  async () => {
    const gateway = await startFiles({ quota_bytes: 2 * total });
    onTestFinished(() => gateway.stop());
    const call = caller(gateway);
    await (await call('GET /files', { headers: forUs })).json();
    const before = peak(gateway);
    const bytes = source();
    const { id, bytes: kept } = await upload(gateway, bytes);
    expect(kept).toBe(total);

    const content = await call(`GET /files/${id}/content`);
    const hash = createHash('sha256');
    for await (const piece of content.body ?? []) hash.update(piece);
    expect(hash.digest('hex')).toBe(bytes.sum());

    const left = new AbortController();
    const { body } = await call(`GET /files/${id}/content`, { signal: left.signal });
    await body?.getReader().read();
    const open = (): number => openFiles(gateway, 'gateway.db-files');
    expect(open()).toBe(1);
    left.abort();
    await expect.poll(open).toBe(0);
    expect(peak(gateway) - before).toBeLessThan(200);
  },
  240_000,
);

/** A bucket that keeps only the checksum of everything that is stored in it. */
const startBucket = async (): Promise<{ readonly origin: string; readonly sum: () => string }> => {
  const hash = createHash('sha256');
  const server = createServer(async (message, answer) => {
    const { method, url = '' } = message;
    for await (const piece of message) if (method === 'PUT') hash.update(piece);
    answer.setHeader('etag', '"part"');
    const begun = '<Initiated><UploadId>one</UploadId></Initiated>';
    const ended = '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>';
    if (method === 'POST') answer.end(url.endsWith('uploads=') ? begun : ended);
    else answer.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sum: () => hash.digest('hex') };
};

it.skipIf(process.platform !== 'linux')(
  'forwards a large file to the storage of a cloud in bounded memory',
  async () => {
    const [gateway, bucket] = await Promise.all([startFiles({ max_bytes: 1, quota_bytes: 1 }), startBucket()]);
    onTestFinished(() => gateway.stop());
    await control(gateway, 'POST /providers', {
      body: {
        ...{ name: 'aws', slug: 'aws', provider: 'bedrock', credential: bedrockKeys },
        settings: { custom_host: bucket.origin, cloudc_s3_bucket: 'bucket' },
      },
    });
    const to = { 'x-gw-provider': '@aws' };
    await (await caller(gateway)('GET /files', { headers: to })).text();
    const before = peak(gateway);
    const bytes = source();
    expect((await upload(gateway, bytes, to)).bytes).toBe(total);
    expect(bucket.sum()).toBe(bytes.sum());
    expect(peak(gateway) - before).toBeLessThan(200);
  },
  240_000,
);
