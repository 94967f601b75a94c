import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { type AccountsWorld, accountsWorld, type SavedAccount } from '../../support/vendors/accounts-world.ts';
import type { BatchVendor } from '../../support/vendors/batches/batch-vendor.ts';
import { startBedrockBatches } from '../../support/vendors/batches/bedrock-batches.ts';
import { startVertexBatches } from '../../support/vendors/batches/vertex-batches.ts';
import { bedrockKeys } from '../../support/vendors/storage/aws-keys.ts';

const role_arn = 'arn:aws:iam::1:role/jobs';
const about = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
const vertexSettings = { cloudb_region: 'europe-west4', cloudb_project_id: 'our-project' };

const line = (id: string, model: string, content: string): string =>
  `${JSON.stringify({
    ...{ custom_id: id, method: 'POST', url: about.endpoint },
    body: { model, max_tokens: 50, messages: [{ role: 'user', content }] },
  })}\n`;

describe('batches with their lines in the storage of a cloud', () => {
  let world: AccountsWorld;
  let bedrock: BatchVendor;
  let vertex: BatchVendor;
  beforeAll(async () => {
    [world, bedrock, vertex] = await Promise.all([accountsWorld(), startBedrockBatches(), startVertexBatches()]);
    const keys = { provider: 'bedrock', origin: bedrock.upstream.origin, credential: bedrockKeys };
    const google = { provider: 'vertex-ai', origin: vertex.upstream.origin };
    const accounts: readonly SavedAccount[] = [
      { ...keys, slug: 'aws' },
      { ...keys, slug: 'aws-fixed', settings: { cloudc_s3_bucket: 'jobs-bucket' } },
      { ...keys, slug: 'aws-token', credential: { api_key: 'sk-1' } },
      { ...google, slug: 'google', settings: vertexSettings },
      { slug: 'other', provider: 'anthropic', origin: bedrock.upstream.origin },
    ];
    for (const account of accounts) await world.save(account);
  });
  afterAll(async () => {
    await world.gateway.stop();
    await Promise.all([bedrock.upstream.close(), vertex.upstream.close()]);
  });

  const uploaded = async (text: string): Promise<string> => {
    const headers = { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null };
    const file = new File([text], 'in.jsonl');
    return (await world.client('aws').files.create({ file, purpose: 'batch' }, { headers })).id;
  };

  /** Requests that create or change something. Jobs that poll batches read at the same time. */
  const written = (): number =>
    [bedrock, vertex].flatMap(({ upstream }) => upstream.requests).filter(({ method }) => method !== 'GET').length;

  const making = (slug: string, input_file_id: string, more: object = {}, headers: Record<string, string> = {}) =>
    world.client(slug).batches.create({ ...about, input_file_id, ...more } as OpenAI.BatchCreateParams, { headers });

  it.each([
    ['aws', 'x-gw-cloudc-s3-bucket', 'amazon.nova-lite-v1:0', { role_arn }, ['partNumber=1', 'partNumber=2']],
    ['google', 'x-gw-cloudb-storage-bucket-name', 'gemini-2.5-flash', {}, [undefined]],
  ] as const)(
    'write a file once into the bucket that a request names: %s',
    async (slug, header, model, more, parts) => {
      const vendor = slug === 'aws' ? bedrock : vertex;
      const size = parts.length > 1 ? 900_000 : 900;
      const text = Array.from({ length: 10 }, (_, at) => line(`Zeile ${at} §`, model, 'x'.repeat(size))).join('');
      const input = await uploaded(text);
      const headers = { [header]: 'jobs-bucket' };
      const [one, two] = await Promise.all([making(slug, input, more, headers), making(slug, input, more, headers)]);
      const third = await making(slug, input, more, headers);
      expect(new Set([one.id, two.id, third.id]).size).toBe(3);
      const sent = vendor.upstream.requests.filter(({ method }) => method === 'PUT');
      expect(sent.map(({ path }) => /partNumber=\d/.exec(path)?.[0])).toEqual(parts);

      vendor.finish();
      const retrieve = () => world.client(slug).batches.retrieve(one.id);
      await expect.poll(async () => (await retrieve()).status, { interval: 20 }).toBe('completed');
      const ended = await retrieve();
      expect(ended.request_counts).toEqual({ total: 10, completed: 10, failed: 0 });
      const output = await world.client(slug).files.content(ended.output_file_id ?? '', {
        headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null },
      });
      const ids = (await output.text())
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).custom_id);
      expect(ids.sort()).toEqual(Array.from({ length: 10 }, (_, at) => `Zeile ${at} §`));
    },
  );

  it.each([
    ['No bucket is set', 'aws', { role_arn }, {}],
    ['not the name of a bucket', 'aws', { role_arn }, { 'x-gw-cloudc-s3-bucket': 'a/../b' }],
    ['only in the bucket', 'aws-fixed', { role_arn }, { 'x-gw-cloudc-s3-bucket': 'other-bucket' }],
    ['role_arn', 'aws-fixed', {}, {}],
    ['role_arn', 'google', { role_arn }, {}],
    ['does not use "role_arn"', 'aws-fixed', { role_arn, completion_window: 'immediate' }, {}],
    ['role_arn', 'other', { role_arn, completion_window: 'immediate' }, {}],
    ['No bucket is set', 'google', {}, {}],
  ])('are refused with what is missing or wrong: %s, %s', async (fact, slug, more, headers) => {
    const input = await uploaded(line('a', slug === 'google' ? 'gemini-2.5-flash' : 'amazon.nova-lite-v1:0', 'Hi'));
    const before = written();
    const refused = { status: 400, message: expect.stringContaining(fact) };
    await expect(making(slug, input, more, headers)).rejects.toMatchObject(refused);
    expect(written()).toBe(before);
  });

  it.each([
    ['aws', 'names no model', line('a', '', 'Hi')],
    ['aws', 'same model', line('a', 'amazon.nova-lite-v1:0', 'Hi') + line('b', 'amazon.nova-pro-v1:0', 'Hi')],
    ['google', 'Google and Anthropic', line('a', 'mistralai.mistral-small', 'Hi')],
    ['google', 'Google and Anthropic', line('a', 'google.a/../b', 'Hi')],
  ])('are refused if a line cannot be sent to %s: %s', async (slug, fact, text) => {
    const refused = { status: 400, message: expect.stringContaining(fact) };
    const headers = { 'x-gw-cloudc-s3-bucket': 'jobs-bucket', 'x-gw-cloudb-storage-bucket-name': 'jobs-bucket' };
    await expect(making(slug, await uploaded(text), {}, headers)).rejects.toMatchObject(refused);
  });

  it('require access keys at Bedrock, and pass on a refusal of the storage', async () => {
    const input = await uploaded(line('a', 'amazon.nova-lite-v1:0', 'Hi'));
    await expect(
      making('aws-token', input, { role_arn }, { 'x-gw-cloudc-s3-bucket': 'jobs-bucket' }),
    ).rejects.toMatchObject({ status: 401, message: expect.stringContaining('S3 requires access keys') });
    await expect(making('aws', input, { role_arn }, { 'x-gw-cloudc-s3-bucket': 'other-bucket' })).rejects.toMatchObject(
      { status: 404 },
    );
  });

  it('use storage that no client can address', async () => {
    const isSigned = (service: string) => (sent: { header(name: string): string | undefined }) =>
      sent.header('authorization')?.includes(`/${service}/aws4_request`) === true;
    const signed = bedrock.upstream.requests.filter(isSigned('s3')).length;
    for (const path of ['/jobs-bucket/x', '/proxy/jobs-bucket/x', '/s3/jobs-bucket/x'])
      await fetch(`${world.gateway.baseUrl}${path}`, {
        headers: { 'x-gw-api-key': adminKey, 'x-gw-virtual-key': 'aws', 'x-gw-cloudc-s3-bucket': 'jobs-bucket' },
      });
    expect(signed).toBeGreaterThan(0);
    expect(bedrock.upstream.requests.filter(isSigned('s3'))).toHaveLength(signed);
  });
});
