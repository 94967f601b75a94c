import { request } from 'node:http';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import type { StoringVendor } from '../../support/vendors/batches/batch-vendor.ts';
import { startBedrockBatches } from '../../support/vendors/batches/bedrock-batches.ts';
import { startVertexBatches } from '../../support/vendors/batches/vertex-batches.ts';
import { bedrockKeys } from '../../support/vendors/storage/aws-keys.ts';

const vertexSettings = { cloudb_region: 'europe-west4', cloudb_project_id: 'our-project' };
const roleArn = 'arn:aws:iam::1:role/jobs';
const encryption = { cloudc_server_side_encryption: 'aws:kms', cloudc_server_side_encryption_kms_key_id: 'alias/ours' };

let world: AccountsWorld;
let vendors: Readonly<Record<string, StoringVendor>>;

const toVendor = (slug: string): StoringVendor => {
  const vendor = vendors[slug.split('-')[0] ?? ''];
  if (vendor === undefined) throw new Error(`There is no vendor ${slug}.`);
  return vendor;
};

beforeAll(async () => {
  const [started, aws, google] = await Promise.all([
    // Files of providers do not count towards the quota.
    accountsWorld({ quota_bytes: 20_000 }),
    startBedrockBatches(),
    startVertexBatches(),
  ]);
  world = started;
  vendors = { aws, google };
  const bedrock = { provider: 'bedrock', origin: aws.upstream.origin, credential: bedrockKeys };
  const bucket = { cloudc_s3_bucket: 'jobs-bucket' };
  await world.save({ ...bedrock, slug: 'aws', settings: bucket });
  await world.save({ ...bedrock, slug: 'aws-named' });
  await world.save({ ...bedrock, slug: 'aws-sealed', settings: { ...bucket, ...encryption } });
  const vertex = { provider: 'vertex-ai', origin: google.upstream.origin };
  const settings = { ...vertexSettings, cloudb_storage_bucket_name: 'jobs-bucket' };
  await world.save({ ...vertex, slug: 'google', settings });
  await world.save({ ...vertex, slug: 'google-named', settings: vertexSettings });
});
afterAll(async () => {
  await world.gateway.stop();
  await Promise.all(Object.values(vendors).map(({ upstream }) => upstream.close()));
});

interface Sent {
  readonly text?: string;
  readonly purpose?: OpenAI.FilePurpose;
  readonly headers?: Record<string, string>;
  readonly key?: string;
  /** Whether the form has the purpose before the file. */
  readonly isPurposeFirst?: boolean;
}

const send = (slug: string, { text = 'a\nb\nc\n', purpose = 'fine-tune', headers = {}, ...more }: Sent = {}) => {
  const file = new File([text], 'träin one.jsonl');
  const body = more.isPurposeFirst === false ? { file, purpose } : { purpose, file };
  return world.client(slug, more.key).files.create(body, { headers });
};

const ask = (
  method: string,
  path: string,
  {
    slug = 'aws',
    key = adminKey,
    headers = {},
  }: { slug?: string; key?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`${world.gateway.baseUrl}${path}`, {
    method,
    headers: { 'x-gw-api-key': key, 'x-gw-provider': `@${slug}`, ...headers },
  });

const line = (id: string, more: object = {}): string =>
  `${JSON.stringify({
    ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'any', max_tokens: 50, messages: [{ role: 'user', content: `Hello from ${id}` }] },
    ...more,
  })}\n`;

describe.each(['aws', 'google'])('files of %s', (slug) => {
  const scheme = slug === 'aws' ? 's3' : 'gs';

  it.each([
    ['small', '{"file_id":"file-1"}\n'.repeat(20), true],
    ['small, with the purpose last', 'a line\n'.repeat(20), false],
    ['in parts', 'a line\n'.repeat(1_300_000), true],
    ['in parts, with the purpose last', 'a line\n'.repeat(1_300_000), false],
  ])('are sent, looked up and read with the official client: %s', async (_, text, isPurposeFirst) => {
    const { files } = world.client(slug);
    const file = await send(slug, { text, isPurposeFirst });
    expect(file).toMatchObject({
      ...{ object: 'file', bytes: text.length, filename: 'träin one.jsonl', purpose: 'fine-tune' },
      ...{ status: 'processed', status_details: null, created_at: expect.any(Number) },
    });
    const address = decodeURIComponent(file.id);
    expect(address).toMatch(new RegExp(`^${scheme}://jobs-bucket/gatewright/uploads/[\\w-]+/[\\w-]+/tr_in_one.jsonl$`));
    expect(toVendor(slug).bucket.objects.get(address.slice(`${scheme}://jobs-bucket/`.length))).toBe(text);
    expect(await files.retrieve(file.id)).toEqual(file);
    expect(await (await files.content(file.id)).text()).toBe(text);
    const part = await files.content(file.id, { headers: { range: 'bytes=2-5' } });
    expect([part.status, await part.text()]).toEqual([206, text.slice(2, 6)]);
    expect(part.headers.get('content-range')).toBe(`bytes 2-5/${text.length}`);
  });

  it('can be read with each spelling of their id, and nothing else can be read', async () => {
    const { id } = await send(slug);
    for (const spelling of [id, encodeURIComponent(id)])
      expect(await (await ask('GET', `/files/${spelling}/content`, { slug })).text()).toBe('a\nb\nc\n');
    const { objects } = toVendor(slug).bucket;
    objects.set('of-others.jsonl', 'secret');
    const address = decodeURIComponent(id);
    const folder = address.slice(0, address.lastIndexOf('/'));
    const others = [
      ...[`${scheme}://jobs-bucket/of-others.jsonl`, `${scheme}://other-bucket/of-others.jsonl`],
      ...[`${address}/../x`, `${folder}/./tr_in_one.jsonl`, `${folder}//tr_in_one.jsonl`, `${folder}/`, `${address}?x`],
      ...['file-1', 'gs://', `https://jobs-bucket/x`, `${scheme}://jobs-bucket/gatewright/../of-others.jsonl`],
    ];
    const before = toVendor(slug).upstream.requests.length;
    for (const other of others)
      for (const spelling of [encodeURIComponent(other), encodeURIComponent(encodeURIComponent(other))])
        for (const rest of ['', '/content']) {
          const { status } = await ask('GET', `/files/${spelling}${rest}`, { slug });
          expect(status, spelling).toBe(404);
        }
    for (const path of [`/files/${address}`, `/files/${address}/content`])
      expect((await ask('GET', path, { slug })).status).toBe(404);
    expect(
      toVendor(slug)
        .upstream.requests.slice(before)
        .filter(({ path }) => path.startsWith('/jobs-')),
    ).toEqual([]);
  });

  it('belong to the workspace and the account that created them, even if others use the same bucket', async () => {
    const { id } = await send(slug);
    const { id: workspace } = await control(world.gateway, 'POST /workspaces', {
      body: { name: `Near ${slug}`, slug: `near-${slug}` },
    });
    const { key = '' } = await control(world.gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'k', workspace_id: workspace, scopes: ['completions.write', 'providers.create'] },
    });
    const isAws = slug === 'aws';
    const settings = isAws
      ? { cloudc_s3_bucket: 'jobs-bucket' }
      : { ...vertexSettings, cloudb_storage_bucket_name: 'jobs-bucket' };
    const saved = await callControl(world.gateway, 'POST /providers', {
      key,
      body: {
        ...{ name: slug, slug, provider: isAws ? 'bedrock' : 'vertex-ai' },
        credential: isAws ? bedrockKeys : { api_key: 'sk-1' },
        settings: { ...settings, custom_host: toVendor(slug).upstream.origin },
      },
    });
    expect(saved.status).toBe(200);
    const theirs = await send(slug, { key });
    for (const rest of ['', '/content']) {
      expect((await ask('GET', `/files/${id}${rest}`, { slug, key })).status).toBe(404);
      expect((await ask('GET', `/files/${theirs.id}${rest}`, { slug })).status).toBe(404);
      expect((await ask('GET', `/files/${id}${rest}`, { slug: `${slug}-named` })).status).toBe(404);
      expect((await ask('GET', `/files/${theirs.id}${rest}`, { slug, key })).status).toBe(200);
    }
    const { batches, fineTuning } = world.client(slug, key);
    const role = isAws ? { role_arn: roleArn } : {};
    const batch = { endpoint: '/v1/chat/completions', completion_window: '24h', ...role } as const;
    const headers = { 'x-gw-provider-model': isAws ? 'amazon.nova-lite-v1:0' : 'gemini-2.5-flash' };
    const content = decodeURIComponent(id);
    const naming = line('a', { body: { messages: [{ role: 'user', content }] } });
    const sent = await send(slug, { key, purpose: 'batch', headers, text: naming });
    await expect(batches.create({ ...batch, input_file_id: sent.id })).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining('Line 1') },
    });
    for (const named of [id, content]) {
      await expect(batches.create({ ...batch, input_file_id: named })).rejects.toMatchObject({ status: 400 });
      const job = { model: 'm', suffix: 's', method: { type: 'supervised' }, training_file: named, ...role } as const;
      await expect(fineTuning.jobs.create(job)).rejects.toMatchObject({
        ...{ status: 400, message: expect.stringContaining('There is no file') },
      });
    }
    if (!isAws) {
      expect((await ask('DELETE', `/files/${id}`, { slug, key })).status).toBe(404);
      expect((await ask('GET', `/files/${id}`, { slug })).status).toBe(200);
    }
  });

  it('with the lines of a batch are translated for the model that a request names, and a batch can use them', async () => {
    const headers: Record<string, string> =
      slug === 'aws'
        ? { 'x-gw-cloudc-bedrock-model': 'amazon.nova-lite-v1:0' }
        : { 'x-gw-cloudc-bedrock-model': 'amazon.nova-lite-v1:0', 'x-gw-provider-model': 'gemini-2.5-flash' };
    const text = line('one') + line('zwei');
    const file = await send(slug, { text, purpose: 'batch', headers });
    const key = decodeURIComponent(file.id).replace(`${scheme}://jobs-bucket/`, '');
    const [written = ''] = toVendor(slug).bucket.objects.get(key)?.split('\n') ?? [];
    expect(JSON.parse(written)).toMatchObject(
      slug === 'aws'
        ? { recordId: 'one', modelInput: { messages: [{ content: [{ text: 'Hello from one' }] }] } }
        : { custom_id: 'one', request: { contents: [{ parts: [{ text: 'Hello from one' }] }] } },
    );
    const { batches } = world.client(slug);
    const make = (input_file_id: string) =>
      batches.create({
        ...{ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' },
        ...(slug === 'aws' ? { role_arn: roleArn } : {}),
      });
    const made = [await make(file.id), await make(decodeURIComponent(file.id))];
    expect(made.map(({ input_file_id }) => input_file_id)).toEqual([file.id, file.id]);
    toVendor(slug).finish();
    const retrieve = () => batches.retrieve(made[1]?.id ?? '');
    await expect.poll(async () => (await retrieve()).status, { interval: 20 }).toBe('completed');
    const output = await ask('GET', `/files/${(await retrieve()).output_file_id}/content`);
    const lines = (await output.text()).trim().split('\n');
    expect(lines.map((each) => JSON.parse(each).custom_id).sort()).toEqual(['one', 'zwei']);

    const plain = await send(slug, { text, purpose: 'batch' });
    const error = (fact: string) => ({ status: 400, message: expect.stringContaining(fact) });
    await expect(make(plain.id)).rejects.toMatchObject(error('was not written for a model'));
    await expect(make(`${scheme}://jobs-bucket/of-others.jsonl`)).rejects.toMatchObject(error('has no file'));
    await expect(make('file-1')).rejects.toMatchObject(error('has no file'));
  });

  it('are removed completely if a line, or a field after the file, is invalid', async () => {
    const { objects, uploads } = toVendor(slug).bucket;
    const before = [...objects.keys()];
    const headers = { 'x-gw-provider-model': slug === 'aws' ? 'amazon.nova-lite-v1:0' : 'gemini-2.5-flash' };
    const many = Array.from({ length: 300 }, (_, at) =>
      line(`l${at}`, { body: { messages: [{ role: 'user', content: 'x'.repeat(30_000) }] } }),
    ).join('');
    for (const [text, fact] of [
      [many + line('l0'), 'Line 301'],
      [line('a') + line('b', { url: '/v1/embeddings' }), 'Line 2'],
      ['{', 'Line 1'],
      ['', 'no lines'],
    ] as const)
      for (const isPurposeFirst of [true, false])
        await expect(send(slug, { text, purpose: 'batch', headers, isPurposeFirst })).rejects.toMatchObject({
          ...{ status: 400, message: expect.stringContaining(fact) },
        });
    const elsewhere = { ...headers, 'x-gw-provider-batch-endpoint': '/v1/embeddings' };
    await expect(send(slug, { text: line('a'), purpose: 'batch', headers: elsewhere })).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining('do not support "/v1/embeddings"') },
    });
    const form = new FormData();
    form.append('purpose', 'fine-tune');
    form.append('file', new Blob(['x'.repeat(9_000_000)]), 'x.jsonl');
    form.append('other', 'field');
    const answer = await fetch(`${world.gateway.baseUrl}/files`, {
      ...{ method: 'POST', body: form, headers: { 'x-gw-api-key': adminKey, 'x-gw-virtual-key': slug } },
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('no field \\"other\\"')]);
    expect([[...objects.keys()], [...uploads.keys()]]).toEqual([before, []]);
  });

  it('are removed completely if the client disconnects', async () => {
    const { objects, uploads } = toVendor(slug).bucket;
    const before = [...objects.keys()];
    const sending = request(`${world.gateway.baseUrl}/files`, {
      method: 'POST',
      headers: {
        ...{ 'x-gw-api-key': adminKey, 'x-gw-virtual-key': slug, 'content-length': 60_000_000 },
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    sending.on('error', () => {});
    sending.write('--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nfine-tune\r\n');
    sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n');
    sending.write('x'.repeat(18_000_000));
    await expect.poll(() => uploads.size, { interval: 10 }).toBe(1);
    sending.destroy();
    await expect.poll(() => uploads.size, { interval: 10 }).toBe(0);
    expect([...objects.keys()]).toEqual(before);
  });

  it('count as one request for limits, in however many parts they are sent', async () => {
    const { key = '' } = await control(world.gateway, 'POST /api-keys/workspace/service', {
      body: {
        ...{ name: `limited-${slug}`, workspace_id: 'default', scopes: ['completions.write'] },
        rate_limits: [{ type: 'requests', unit: 'rpd', value: 1 }],
      },
    });
    await enoughOfDay();
    expect(await send(slug, { key, text: 'x'.repeat(9_000_000) })).toMatchObject({ bytes: 9_000_000 });
    await expect(send(slug, { key })).rejects.toMatchObject({ status: 429 });
  });

  it('cannot be listed, with an error that says what to do instead', async () => {
    const listed = await ask('GET', '/files', { slug });
    expect([listed.status, await listed.text()]).toEqual([501, expect.stringContaining('Keep the ids')]);
    const { id } = await send(slug);
    const deleted = await ask('DELETE', `/files/${id}`, { slug });
    const text = await deleted.text();
    if (slug === 'aws') expect([deleted.status, text]).toEqual([501, expect.stringContaining('lifecycle')]);
    else {
      expect([deleted.status, JSON.parse(text)]).toEqual([200, { id, object: 'file', deleted: true }]);
      expect((await ask('GET', `/files/${id}`, { slug })).status).toBe(404);
    }
  });

  it('are stored in the bucket of the provider, or in the one that a request names if there is none', async () => {
    const header = slug === 'aws' ? 'x-gw-cloudc-s3-bucket' : 'x-gw-cloudb-storage-bucket-name';
    const named = await send(`${slug}-named`, { headers: { [header]: 'jobs-bucket' } });
    expect(await (await ask('GET', `/files/${named.id}/content`, { slug: `${slug}-named` })).text()).toBe('a\nb\nc\n');
    for (const [account, bucket, status, fact] of [
      [`${slug}-named`, undefined, 400, 'No bucket is set'],
      [`${slug}-named`, 'a/../b', 400, 'not the name of a bucket'],
      [slug, 'other-bucket', 400, 'only in the bucket'],
      [`${slug}-named`, 'other-bucket', 404, ''],
    ] as const)
      await expect(send(account, { headers: bucket === undefined ? {} : { [header]: bucket } })).rejects.toMatchObject({
        status,
        message: expect.stringContaining(fact),
      });
  });

  it('get the name that a request specifies, in a folder of their own', async () => {
    const { id } = await send(slug, { headers: { 'x-gw-provider-file-name': 'day-1/lines.jsonl' } });
    expect(decodeURIComponent(id)).toMatch(/\/gatewright\/uploads\/[^/]+\/[^/]+\/day-1\/lines\.jsonl$/);
    for (const name of ['../x', 'a//b', '/a', 'a b', 'ä', '', 'x'.repeat(151)])
      await expect(send(slug, { headers: { 'x-gw-provider-file-name': encodeURI(name) } })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('name of a file in a bucket'),
      });
  });
});

describe('files in S3', () => {
  it('get the key that a request specifies, if the bucket does not have that key yet', async () => {
    const headers = { 'x-gw-cloudc-s3-object-key': 'ours/train.jsonl' };
    const { id } = await send('aws', { headers });
    expect(decodeURIComponent(id)).toBe('s3://jobs-bucket/ours/train.jsonl');
    for (const text of ['other', 'x'.repeat(9_000_000)])
      await expect(send('aws', { text, headers })).rejects.toMatchObject({ status: 409 });
    expect(await (await ask('GET', `/files/${id}/content`)).text()).toBe('a\nb\nc\n');
    expect(toVendor('aws').bucket.uploads.size).toBe(0);
    await expect(send('aws', { headers: { 'x-gw-cloudc-s3-object-key': 'gatewright/files/x' } })).rejects.toMatchObject(
      { status: 400, message: expect.stringContaining('begin with') },
    );
  });

  it.each([4, 9_000_000])(
    'of %i bytes are encrypted as the provider specifies, or else as the request does',
    async (length) => {
      const text = 'x'.repeat(length);
      const headers = {
        'x-gw-amz-server-side-encryption': 'aws:kms',
        'x-gw-amz-server-side-encryption-aws-kms-key-id': 'arn:aws:kms:us-east-1:1:key/1',
      };
      const kept = ({ id }: { id: string }) =>
        toVendor('aws').bucket.headers.get(decodeURIComponent(id).replace('s3://jobs-bucket/', ''));
      const by = (key: string) => ({
        'x-amz-server-side-encryption': 'aws:kms',
        'x-amz-server-side-encryption-aws-kms-key-id': key,
      });
      expect(kept(await send('aws', { text, headers }))).toMatchObject(by('arn:aws:kms:us-east-1:1:key/1'));
      expect(kept(await send('aws-sealed', { text }))).toMatchObject(by('alias/ours'));
      expect(kept(await send('aws', { text }))).not.toHaveProperty('x-amz-server-side-encryption');
      await expect(send('aws-sealed', { text, headers })).rejects.toMatchObject({ status: 400 });
      await expect(
        send('aws', { text, headers: { 'x-gw-amz-server-side-encryption': 'rot13' } }),
      ).rejects.toMatchObject({
        status: 400,
      });
    },
  );

  it('that the gateway writes for a batch are encrypted in the same way', async () => {
    const file = await world
      .client('aws')
      .files.create(
        { purpose: 'batch', file: new File([line('a')], 'in.jsonl') },
        { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } },
      );
    await world.client('aws-sealed').batches.create({
      ...{ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' },
      ...{ role_arn: roleArn },
    } as OpenAI.BatchCreateParams);
    const [, headers] =
      [...toVendor('aws').bucket.headers].findLast(([key]) => key.startsWith('gatewright/batches/')) ?? [];
    expect(headers).toMatchObject({ 'x-amz-server-side-encryption-aws-kms-key-id': 'alias/ours' });
  });
});
