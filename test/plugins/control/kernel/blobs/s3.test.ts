import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { BlobStorage } from '../../../../../plugins/control/kernel/blobs/blob-storage.ts';
import { xmlValues } from '../../../../../plugins/control/kernel/blobs/s3/put-object.ts';
import { createS3Client, type S3Client, s3Storage } from '../../../../../plugins/control/kernel/blobs/s3/s3-storage.ts';
import type { S3Bucket } from '../../../../../plugins/providers/auth/s3-request.ts';
import { caller, forUs, startFiles, toForm } from '../../../../e2e/files/support.ts';
import type { GatewayProcess } from '../../../../support/gateways/gateway-process.ts';
import { hasSwift, type SwiftServer, startSwift } from '../../../../support/servers/swift-server.ts';
import { allOf, inPieces } from '../../work/files/support/filing.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

describe.skipIf(!hasSwift)('a bucket of a server that verifies signatures', () => {
  let swift: SwiftServer;
  let bucket: S3Bucket;
  let client: S3Client;
  let storage: BlobStorage;

  beforeAll(async () => {
    swift = await startSwift();
    const { endpoint, ...credentials } = swift;
    bucket = { endpoint, credentials, region: 'us-east-1', bucket: 'files', isPathStyle: true };
    client = createS3Client(bucket, { now: Date.now });
    storage = s3Storage({ ...bucket, prefix: 'gw/', now: Date.now });
    await client.ask({ method: 'PUT', key: '' });
  });
  afterAll(() => swift.stop());

  const write = (id: string, bytes: Buffer, size = 65_564): Promise<void> =>
    storage.write(id, inPieces(bytes, size) as AsyncIterable<Buffer>);
  const names = async (): Promise<readonly string[]> =>
    xmlValues((await client.ask({ method: 'GET', key: '', query: 'prefix=gw%2F' })).text, 'Key');
  const uploads = async (): Promise<readonly string[]> =>
    xmlValues((await client.ask({ method: 'GET', key: '', query: 'uploads=' })).text, 'UploadId');

  it.each([0, 1, 65_564, 8 * 1024 ** 2, 8 * 1024 ** 2 + 1, 2 * 8 * 1024 ** 2 + 1])(
    'stores %d bytes, and returns any part of them',
    async (size) => {
      const bytes = randomBytes(size);
      await write('one', bytes);
      expect(await names()).toEqual(['gw/one']);
      for (const [from, to] of [
        [0, size],
        [Math.floor(size / 3), size - 1],
        [size - 1, size],
      ] as const)
        if (from >= 0 && from < to) {
          const read = await allOf(storage.read('one', { from, to }));
          expect(read.equals(bytes.subarray(from, to)), `${from} ${to}`).toBe(true);
        }
      await storage.remove('one');
      await storage.remove('one');
      expect([await names(), await uploads()]).toEqual([[], []]);
    },
  );

  it('contains nothing of an upload that broke off, whether or not it was large', async () => {
    for (const pieces of [1, 10]) {
      async function* broken(): AsyncGenerator<Buffer, void> {
        for (let piece = 0; piece < pieces; piece += 1) yield randomBytes(1_000_000);
        throw new Error('The client left.');
      }
      await expect(storage.write('broken', broken())).rejects.toThrow('The client left.');
    }
    expect([await names(), await uploads()]).toEqual([[], []]);
  });

  it('contains the upload of a killed process until its blob is removed', async () => {
    await client.ask({ method: 'POST', key: 'gw/left', query: 'uploads=' });
    expect(await uploads()).toHaveLength(1);
    await storage.remove('left');
    expect(await uploads()).toEqual([]);
  });

  const gatewayWith = async (secret: string): Promise<GatewayProcess> => {
    const files = {
      ...{ url: 's3://files/of-a-gateway', endpoint: bucket.endpoint, region: bucket.region },
      ...{ access_key_id: '${env:STORAGE_KEY}', secret_access_key: '${env:STORAGE_SECRET}' },
    };
    const gateway = await startFiles(files, { STORAGE_KEY: bucket.credentials.accessKeyId, STORAGE_SECRET: secret });
    onTestFinished(() => gateway.stop());
    return gateway;
  };

  it('stores the files of a gateway sealed, and contains none that was refused or deleted', async () => {
    const gateway = await gatewayWith(bucket.credentials.secretAccessKey);
    const call = caller(gateway);
    const bytes = Buffer.alloc(9_100_000, 'a line of a file\n');
    const form = toForm([
      ['purpose', 'batch'],
      ['file', bytes],
    ]);
    const { id } = (await (await call('POST /files', { headers: forUs, body: form })).json()) as { id: string };
    const content = await call(`GET /files/${id}/content`);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await call(`GET /files/${id}/content`, { headers: { range: 'bytes=9000000-9000099' } });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(9_000_000, 9_000_100))]).toEqual([
      206,
      true,
    ]);
    const own = async (): Promise<readonly string[]> =>
      xmlValues((await client.ask({ method: 'GET', key: '', query: 'prefix=of-a-gateway%2F' })).text, 'Key');
    const [key = ''] = await own();
    expect(key).toMatch(/^of-a-gateway\/[0-9a-f]{32}$/);
    const answer = await client.open({ method: 'GET', key });
    expect((await allOf(answer)).includes('a line')).toBe(false);
    const refused = await call('POST /files', { headers: forUs, body: toForm([['file', bytes]]) });
    expect(refused.status).toBe(400);
    expect((await call(`DELETE /files/${id}`)).status).toBe(200);
    expect([await own(), await uploads()]).toEqual([[], []]);
  });

  it('that refuses the gateway is reported as unavailable to the client, with the reason in the log', async () => {
    const gateway = await gatewayWith('guessed');
    const form = toForm([
      ['purpose', 'batch'],
      ['file', Buffer.from('x')],
    ]);
    const answer = await caller(gateway)('POST /files', { headers: forUs, body: form });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('files-unavailable')]);
    await expect.poll(() => gateway.printed()).toContain('answered 403 SignatureDoesNotMatch to PUT');
  });

  it('causes a specific error for a missing object, a wrong secret, a wrong bucket and a wrong clock', async () => {
    await expect(allOf(storage.read('nothing', { from: 0, to: 5 }))).rejects.toMatchObject({ error: 'damaged' });
    const wrong = { ...bucket, prefix: '', now: Date.now };
    const credentials = { ...bucket.credentials, secretAccessKey: 'guessed' };
    const refused = (other: Partial<typeof wrong>): Promise<void> =>
      s3Storage({ ...wrong, ...other }).write('x', inPieces(Buffer.from('x'), 1) as AsyncIterable<Buffer>);
    await expect(refused({ credentials })).rejects.toThrow('answered 403 SignatureDoesNotMatch to PUT');
    await expect(refused({ bucket: 'other' })).rejects.toThrow('answered 404 NoSuchBucket to PUT');
    await expect(refused({ now: () => Date.now() - 3_600_000 })).rejects.toThrow('answered 403 RequestTimeTooSkewed');
  });
});

it('a request to a service that fails is retried, and rejects if the service stays unavailable', async () => {
  const statuses = [503, 500, 200];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.statusCode = statuses.shift() ?? 503;
      response.end('<Error><Code>SlowDown</Code></Error>');
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
  const at = { region: 'us-east-1', bucket: 'files', isPathStyle: true, credentials, prefix: '', now: Date.now };
  const storage = s3Storage({ ...at, endpoint: `http://127.0.0.1:${port}` });
  const write = (): Promise<void> => storage.write('x', inPieces(Buffer.from('x'), 1) as AsyncIterable<Buffer>);
  await write();
  expect(statuses).toEqual([]);
  await expect(write()).rejects.toThrow('answered 503 SlowDown to PUT');
  server.close();
  server.closeAllConnections();
  await expect(write()).rejects.toThrow('did not answer to PUT');
});

it.skipIf(!hasIpv6)('a service can have an IPv6 address', async () => {
  const hosts: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    hosts.push(headers.host);
    response.end();
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  const { port } = server.address() as AddressInfo;
  const place = { region: 'us-east-1', bucket: 'files', isPathStyle: true, endpoint: `http://[::1]:${port}` };
  const client = createS3Client(
    { ...place, credentials: { accessKeyId: 'a', secretAccessKey: 's' } },
    { now: Date.now },
  );
  await client.ask({ method: 'PUT', key: 'x' });
  expect(hosts).toEqual([`[::1]:${port}`]);
});

describe('a service that does not answer like S3', () => {
  const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<BlobStorage> => {
    const server = createServer((request, response) => {
      request.resume().once('end', () => answer(request, response));
    });
    onTestFinished(() => void server.close().closeAllConnections());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
    const at = { region: 'us-east-1', bucket: 'files', isPathStyle: true, credentials, prefix: '', now: Date.now };
    return s3Storage({ ...at, endpoint: `http://127.0.0.1:${port}` });
  };
  const write = (storage: BlobStorage, size: number): Promise<void> =>
    storage.write('x', inPieces(Buffer.alloc(size), 1_000_000) as AsyncIterable<Buffer>);

  it('has not stored a file if it redirects the upload', async () => {
    const storage = await serve((_, response) =>
      response.writeHead(301).end('<Error><Code>PermanentRedirect</Code></Error>'),
    );
    await expect(write(storage, 1)).rejects.toThrow('answered 301 PermanentRedirect to PUT');
  });

  it('has not stored a large file if it does not put its parts together', async () => {
    const storage = await serve(({ method, url = '' }, response) => {
      if (method === 'POST') response.end(url.includes('uploads=') ? '<UploadId>u</UploadId>' : '<Error/>');
      else response.setHeader('etag', '"e"').end();
    });
    await expect(write(storage, 9_000_000)).rejects.toThrow('did not complete an upload');
  });
});
