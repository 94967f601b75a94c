import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { caller, forUs, startFiles, toForm } from './support.ts';

let gateway: GatewayProcess;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  gateway = await startFiles();
  call = caller(gateway);
});
afterAll(() => gateway.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect in it
type Body = any;

const upload = async (
  fields: readonly (readonly [string, string | Buffer])[],
): Promise<{ status: number; body: Body }> => {
  const answer = await call('POST /files', { headers: forUs, body: toForm(fields) });
  return { status: answer.status, body: await answer.json() };
};

const made = async (bytes: Buffer): Promise<string> =>
  (
    await upload([
      ['purpose', 'batch'],
      ['file', bytes],
    ])
  ).body.id;

const blobs = (): number => readdirSync(path.join(gateway.folder, 'gateway.db-files')).length;

it("keeps, lists, returns and deletes a file, whatever the order of the form's fields", async () => {
  const bytes = randomBytes(200_000);
  const { status, body } = await upload([
    ['file', bytes],
    ['expires_after[seconds]', '3600'],
    ['purpose', 'user_data'],
    ['expires_after[anchor]', 'created_at'],
  ]);
  expect([status, body]).toEqual([
    200,
    {
      ...{ id: expect.stringMatching(/^gw-file-/), object: 'file', bytes: 200_000, created_at: expect.any(Number) },
      ...{ filename: 'lines.jsonl', purpose: 'user_data', status: 'processed', status_details: null },
      expires_at: body.created_at + 3600,
    },
  ]);
  const { id } = body;
  expect(await (await call(`GET /files/${id}`)).json()).toEqual(body);
  const list = await (await call('GET /files?purpose=user_data', { headers: forUs })).json();
  expect(list).toEqual({ object: 'list', data: [body], has_more: false, first_id: id, last_id: id });
  const content = await call(`GET /files/${id}/content`);
  expect([content.status, Buffer.from(await content.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
  expect(Object.fromEntries(content.headers)).toMatchObject({
    ...{ 'content-length': '200000', 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' },
    ...{ 'content-disposition': `attachment; filename="lines.jsonl"; filename*=UTF-8''lines.jsonl` },
    ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  });
  expect(await (await call(`DELETE /files/${id}`)).json()).toEqual({ id, object: 'file', deleted: true });
  for (const request of [`GET /files/${id}`, `GET /files/${id}/content`, `DELETE /files/${id}`])
    expect((await call(request)).status, request).toBe(404);
});

it('returns any requested range of a file', async () => {
  const bytes = randomBytes(150_000);
  const id = await made(bytes);
  const get = async (range: string, headers = {}): Promise<[number, string | null, Buffer]> => {
    const answer = await call(`GET /files/${id}/content`, { headers: { range, ...headers } });
    return [answer.status, answer.headers.get('content-range'), Buffer.from(await answer.arrayBuffer())];
  };
  const place = fc.oneof(fc.nat(150_000), fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, 149_999));
  await fc.assert(
    fc.asyncProperty(place, place, async (a, b) => {
      const [from, last] = [Math.min(a, b, 149_999), Math.max(a, b)];
      const to = Math.min(last + 1, 150_000);
      const [status, range, slice] = await get(`bytes=${from}-${last}`);
      expect([status, range]).toEqual([206, `bytes ${from}-${to - 1}/150000`]);
      expect(slice.equals(bytes.subarray(from, to))).toBe(true);
    }),
    { numRuns: 60 },
  );
  expect((await get('bytes=-100'))[2].equals(bytes.subarray(-100))).toBe(true);
  expect((await get('bytes=149900-'))[2].equals(bytes.subarray(149_900))).toBe(true);
  expect((await get('bytes=-200000'))[1]).toBe('bytes 0-149999/150000');
  expect((await get('bytes=150000-')).slice(0, 2)).toEqual([416, 'bytes */150000']);
  expect((await get('bytes=-0')).slice(0, 2)).toEqual([416, 'bytes */150000']);
  for (const odd of ['bytes=5-2', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=a-b'])
    expect((await get(odd))[0], odd).toBe(200);
  expect((await get('bytes=0-9', { 'if-range': '"another"' }))[0]).toBe(200);
  expect((await get('bytes=0-', {}))[0]).toBe(206);

  const empty = await made(Buffer.alloc(0));
  expect((await (await call(`GET /files/${empty}/content`)).arrayBuffer()).byteLength).toBe(0);
  expect((await call(`GET /files/${empty}/content`, { headers: { range: 'bytes=0-' } })).status).toBe(416);
});

const file = ['file', Buffer.from('{}\n')] as const;
const purpose = ['purpose', 'batch'] as const;

it.each([
  ['no file', [purpose], 'file', 'The file is missing.'],
  ['no purpose', [file], 'purpose', 'The purpose is missing.'],
  ['an unsupported purpose', [['purpose', 'fun'], file], 'purpose', 'must be one of batch, fine-tune'],
  ['two files', [purpose, file, file], 'file', 'There are two files.'],
  ['two purposes', [purpose, purpose, file], 'purpose', 'occurs twice'],
  ['a text as its file', [purpose, ['file', '{}']], 'file', 'must have a name'],
  ['an unknown field', [purpose, ['colour', 'red'], file], 'colour', 'has no field "colour"'],
  [
    'an incomplete expiry',
    [purpose, ['expires_after[seconds]', '3600'], file],
    'expires_after',
    'an anchor and seconds',
  ],
  [
    'an expiry that is too short',
    [['expires_after[seconds]', '3599'], file],
    'expires_after.seconds',
    '3600 to 2592000',
  ],
  ['an unsupported anchor', [['expires_after[anchor]', 'now'], file], 'expires_after.anchor', 'must be created_at'],
] as const)('refuses an upload with %s, and keeps nothing of it', async (_, fields, param, message) => {
  const before = blobs();
  const { status, body } = await upload(fields);
  expect([status, body.error.param, body.error.message]).toEqual([400, param, expect.stringContaining(message)]);
  expect(blobs()).toBe(before);
});

it('refuses other bodies, and says what to send instead', async () => {
  const before = blobs();
  const refused = async (init: {
    body?: string | Buffer<ArrayBuffer>;
    headers: Record<string, string>;
  }): Promise<unknown[]> => {
    const answer = await call('POST /files', { ...init, headers: { ...forUs, ...init.headers } });
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    return [answer.status, error.code, error.message];
  };
  const form = { 'content-type': 'multipart/form-data; boundary=b' };
  expect(await refused({ body: '{}', headers: { 'content-type': 'application/json' } })).toEqual([
    ...[415, 'unsupported-upload', expect.stringContaining('its content-type is application/json')],
  ]);
  expect(await refused({ headers: { 'content-type': 'multipart/form-data' }, body: 'x' })).toEqual([
    ...[415, 'unsupported-upload', expect.stringContaining('has no boundary')],
  ]);
  expect(await refused({ headers: { ...form, 'content-encoding': 'gzip' }, body: gzipSync('x') })).toEqual([
    ...[415, 'unsupported-upload', expect.stringContaining('without a content-encoding')],
  ]);
  const named = (head: string): string => `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\nabc\r\n--b--\r\n`;
  for (const name of ['filename="a\0b"', "filename*=UTF-8''a%00b"])
    expect(await refused({ headers: form, body: named(`name="file"; ${name}`) })).toEqual([
      ...[400, 'AB01', expect.stringContaining('U+0000')],
    ]);
  const [status, , message] = await refused({ headers: form, body: named(`name="${'['.repeat(9000)}"`) });
  expect([status, String(message).length < 300]).toEqual([400, true]);
  expect(await refused({ headers: form })).toEqual([400, 'AB01', expect.stringContaining('last boundary')]);
  const cut = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nabc';
  expect(await refused({ headers: form, body: cut })).toEqual([400, 'AB01', expect.stringContaining('last boundary')]);
  expect(blobs()).toBe(before);
});

it('refuses a file that is too large, with or without a length, and one beyond the quota', async () => {
  const before = blobs();
  const huge = Buffer.alloc(50_100_000);
  expect((await upload([purpose, ['file', huge]])).body.error).toMatchObject({ code: 'file-too-large' });
  const status = await new Promise((resolve, reject) => {
    const sending = request(
      `${gateway.baseUrl}/files`,
      {
        method: 'POST',
        headers: { ...forUs, 'x-gw-api-key': adminKey, 'content-type': 'multipart/form-data; boundary=b' },
      },
      (answer) => resolve(answer.resume().statusCode),
    );
    sending.on('error', reject);
    sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n');
    sending.end(huge);
  });
  expect(status).toBe(413);
  const first = await made(Buffer.alloc(30_000_000));
  expect(await upload([purpose, ['file', Buffer.alloc(31_000_000)]])).toMatchObject({
    status: 413,
    body: { error: { code: 'file-quota', message: expect.stringContaining('may have 60000000 bytes in total') } },
  });
  await call(`DELETE /files/${first}`);
  expect(blobs()).toBe(before);
});

it('keeps nothing of an upload if the client disconnects in the middle', async () => {
  const before = blobs();
  const sending = request(`${gateway.baseUrl}/files`, {
    method: 'POST',
    headers: {
      ...forUs,
      'x-gw-api-key': adminKey,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 9e6,
    },
  });
  sending.on('error', () => {});
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n');
  sending.write(Buffer.alloc(3_000_000));
  await expect.poll(blobs).toBe(before + 1);
  sending.destroy();
  await expect.poll(blobs).toBe(before);
});

it('returns a file to its end if it is deleted meanwhile, and then keeps nothing of it', async () => {
  const before = blobs();
  const bytes = randomBytes(20_000_000);
  const id = await made(bytes);
  const answer = await call(`GET /files/${id}/content`);
  const reader = answer.body?.getReader();
  const pieces = [(await reader?.read())?.value ?? new Uint8Array()];
  expect((await call(`DELETE /files/${id}`)).status).toBe(200);
  expect((await call(`GET /files/${id}/content`)).status).toBe(404);
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) pieces.push(next.value);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(blobs()).toBe(before);
});

it("shows another workspace nothing of a workspace's files", async () => {
  const { id: workspace = '' } = (await control(gateway, 'POST /workspaces', {
    body: { name: 'Other', slug: 'other' },
  })) as {
    id?: string;
  };
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'other', scopes: ['completions.write'], workspace_id: workspace },
  });
  const id = await made(Buffer.from('secret'));
  const other = caller(gateway, key);
  const unknown = 'gw-file-00000000-0000-7000-8000-000000000000';
  for (const [method, rest] of [
    ['GET', ''],
    ['GET', '/content'],
    ['DELETE', ''],
  ]) {
    const said = async (which: string): Promise<string> => {
      const answer = await other(`${method} /files/${which}${rest}`);
      return `${answer.status} ${(await answer.text()).replaceAll(which, 'ID')}`;
    };
    expect(await said(id)).toBe(await said(unknown));
    expect(await said(id)).toMatch(/^404 /);
  }
  expect(await (await other('GET /files', { headers: forUs })).json()).toMatchObject({ data: [] });
  expect((await call(`GET /files/${id}/content`)).status).toBe(200);
});

it('fails for a file that was changed on disk, or ends early if part of it has been sent', async () => {
  const bytes = randomBytes(3_000_000);
  const id = await made(bytes);
  const folder = path.join(gateway.folder, 'gateway.db-files');
  const [newest = ''] = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).size > 3_000_000);
  const sealed = readFileSync(newest);
  const change = (at: number): void => {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(newest, changed);
  };
  change(100);
  const answer = await call(`GET /files/${id}/content`);
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('stored bytes were changed')]);
  change(sealed.length - 100);
  const broken = await call(`GET /files/${id}/content`);
  expect(broken.status).toBe(200);
  await expect(broken.arrayBuffer()).rejects.toThrow('terminated');
  const part = await call(`GET /files/${id}/content`, { headers: { range: 'bytes=0-99' } });
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(0, 100))).toBe(true);
  expect((await call(`DELETE /files/${id}`)).status).toBe(200);
});

it('returns file names that are safe for saving', async () => {
  const form = new FormData();
  form.append('purpose', 'vision');
  form.append('file', new Blob(['x']), '../ä"b\\c;d%.png');
  const { id, filename } = (await (await call('POST /files', { headers: forUs, body: form })).json()) as Body;
  expect(filename).toBe('c;d%.png');
  const { lines } = await rawHttp(gateway.origin, {
    ...{ method: 'GET', path: `/v1/files/${id}/content`, lines: [`x-gw-api-key: ${adminKey}`] },
  });
  expect(lines).toContain(`content-disposition: attachment; filename="c_d_.png"; filename*=UTF-8''c%3Bd%25.png`);
});

it('finds no file under the id of a provider if the request is for the gateway', async () => {
  for (const request of ['GET /files/file-1', 'GET /files/file-1/content', 'DELETE /files/file-1']) {
    const answer = await call(request, { headers: forUs });
    expect([request, answer.status]).toEqual([request, 404]);
    const { error } = (await answer.json()) as Body;
    expect(error.message).toBe('There is no file "file-1". GET /v1/files with x-gw-provider: gw lists what there is.');
  }
});

it('lets the official client of OpenAI upload, list, read and delete files', async () => {
  const client = new OpenAI({
    ...{ baseURL: gateway.baseUrl, apiKey: adminKey, maxRetries: 0, defaultHeaders: forUs },
  });
  const bytes = Buffer.from('{"custom_id":"a"}\n');
  const kept = await client.files.create({ file: await toFile(bytes, 'ä.jsonl'), purpose: 'batch' });
  const second = await client.files.create({
    file: await toFile(bytes, 'b.jsonl'),
    ...{ purpose: 'batch', expires_after: { anchor: 'created_at', seconds: 3600 } },
  });
  expect(kept).toMatchObject({ object: 'file', filename: 'ä.jsonl', bytes: bytes.length, status: 'processed' });
  expect(await client.files.retrieve(kept.id)).toEqual(kept);
  const listed: string[] = [];
  for await (const { id } of client.files.list({ limit: 1, order: 'asc', after: kept.id })) listed.push(id);
  expect(listed).toEqual([second.id]);
  expect(await (await client.files.content(kept.id)).text()).toBe(bytes.toString());
  expect(await client.files.delete(kept.id)).toEqual({ id: kept.id, object: 'file', deleted: true });
  await expect(client.files.retrieve(kept.id)).rejects.toMatchObject({ status: 404 });
});
