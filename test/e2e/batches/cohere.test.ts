import { CohereClientV2 } from 'cohere-ai';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import {
  type AnswerPart,
  type CohereVendor,
  startCohereBatches,
} from '../../support/vendors/batches/cohere-batches.ts';

const chats = '/v1/chat/completions';
const embeddings = '/v1/embeddings';

const line = (id: string, url: string, body: object): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url, body })}\n`;

const chat = (id: string, body: object = {}): string =>
  line(id, chats, { model: 'command-a-03-2025', messages: [{ role: 'user', content: 'Hi' }], ...body });

const embedding = (id: string, body: object = {}): string =>
  line(id, embeddings, { model: 'embed-v4.0', input: 'Hi', ...body });

type Ended = OpenAI.Batch & { readonly cost?: number };

describe('batches of Cohere', () => {
  let world: AccountsWorld;
  let vendor: CohereVendor;
  let client: OpenAI;
  beforeAll(async () => {
    [world, vendor] = await Promise.all([accountsWorld(), startCohereBatches()]);
    await world.save({ slug: 'ours', provider: 'cohere', origin: vendor.upstream.origin });
    client = world.client('ours');
  });
  afterAll(async () => {
    await world.gateway.stop();
    await vendor.upstream.close();
  });

  const own = { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } };

  const making = async (text: string, endpoint: typeof chats | typeof embeddings): Promise<OpenAI.Batch> => {
    const file = new File([text], 'in.jsonl');
    const { id } = await client.files.create({ file, purpose: 'batch' }, own);
    const about = { input_file_id: id, endpoint, completion_window: '24h' } as const;
    return client.batches.create(about, { headers: { 'x-gw-metadata': JSON.stringify({ file: id }) } });
  };

  const known = async ({ id }: { readonly id: string }): Promise<Ended> => client.batches.retrieve(id);

  const ended = async (made: OpenAI.Batch): Promise<Ended> => {
    await expect.poll(async () => (await known(made)).status, { interval: 20 }).toBe('completed');
    return known(made);
  };

  const results = async (id: string | undefined) =>
    (await (await client.files.content(id ?? '', own)).text())
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));

  it('support embeddings, of one text or several in a line', async () => {
    const made = await making(
      embedding('one') +
        embedding('two', { input: ['Hi', 'you'], input_type: 'search_query', dimensions: 256 }) +
        embedding('three', { input: 'fail' }),
      embeddings,
    );
    expect(made).toMatchObject({ executor: 'mapped', endpoint: embeddings });
    vendor.finish();
    const batch = await ended(made);
    expect(batch.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
    expect(batch.usage).toMatchObject({ input_tokens: 42, output_tokens: 0 });
    expect(batch.cost).toBeGreaterThan(0);
    const vector = (index: number) => ({ object: 'embedding', index, embedding: [index + 0.5, -0.25] });
    const usage = { prompt_tokens: 21, total_tokens: 21 };
    const body = { object: 'list', model: 'embed-v4.0', usage };
    expect(await results(batch.output_file_id)).toMatchObject([
      { custom_id: 'one', response: { status_code: 200, body: { ...body, data: [vector(0)] } }, error: null },
      { custom_id: 'two', response: { status_code: 200, body: { ...body, data: [vector(0), vector(1)] } } },
    ]);
    expect(await results(batch.error_file_id)).toMatchObject([
      { custom_id: 'three', response: { body: { error: { message: 'It cannot be done.' } } } },
    ]);
  });

  it('are sent with the same requests as by the official client of Cohere', async () => {
    const seen = (from: number): readonly string[] => {
      const shapes = vendor.upstream.requests.slice(from).map(({ method, path, header, json }) => {
        const [pathname = '', query = ''] = path.split('?');
        const form = /form-data/.test(header('content-type') ?? '');
        const members = method === 'POST' && !form && !pathname.endsWith(':cancel') ? Object.keys(json()).sort() : [];
        const named = [...new URLSearchParams(query).keys()].sort();
        return JSON.stringify([
          method,
          pathname.replace(/(?<=\/(?:datasets|batches)\/)[^/:]+/, '-'),
          named,
          form,
          members,
        ]);
      });
      return [...new Set(shapes)].sort();
    };
    const start = vendor.upstream.requests.length;
    const official = new CohereClientV2({ token: 'sk-1', environment: vendor.upstream.origin });
    const lines = '{"custom_id":"a","body":{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}}\n';
    const type = 'batch-chat-v2-input';
    const { id = '' } = await official.datasets.create(new File([lines], 'in.jsonl'), undefined, {
      name: 'ours',
      type,
    });
    while ((await official.datasets.get(id)).dataset.validationStatus !== 'validated');
    const { batch } = await official.batches.create({ name: 'ours', inputDatasetId: id, model: 'command-a-03-2025' });
    await official.batches.cancel(batch.id ?? '');
    expect((await official.batches.retrieve(batch.id ?? '')).batch.status).toBe('BATCH_STATUS_CANCELING');
    const expected = seen(start);

    const from = vendor.upstream.requests.length;
    const made = await making(chat('a'), chats);
    await client.batches.cancel(made.id);
    await known(made);
    expect(seen(from)).toEqual(expected);
  });

  it("carry tools, images and thinking in the format of Cohere's data sets", async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
    const made = await making(
      chat('a', {
        tools: [{ type: 'function', function: { name: 'weather', parameters } }],
        reasoning_effort: 'low',
        ...{ temperature: 0.5, top_p: 0.9, seed: 1, max_tokens: 2000, presence_penalty: 0.5 },
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c', content: 'Sunny.' },
        ],
      }),
      chats,
    );
    vendor.finish();
    expect((await ended(made)).request_counts).toMatchObject({ completed: 1 });
  });

  it.each([
    ['stop_sequences', chats, chat('a') + chat('b', { stop: ['x'] })],
    ['response_format', chats, chat('a') + chat('b', { response_format: { type: 'json_object' } })],
    [
      'messages.content.image_url.detail',
      chats,
      chat('a') +
        chat('b', {
          messages: [
            {
              role: 'user',
              content: [{ type: 'image_url', image_url: { url: 'https://a.example/b', detail: 'low' } }],
            },
          ],
        }),
    ],
    ['the same model', chats, chat('a') + chat('b', { model: 'command-r-08-2024' })],
    ['a text or a list of texts', embeddings, embedding('a') + embedding('b', { input: [[1, 2]] })],
    ['encoding_format', embeddings, embedding('a') + embedding('b', { encoding_format: 'base64' })],
    ['images', embeddings, embedding('a') + embedding('b', { images: ['data:image/png;base64,AA=='] })],
  ] as const)(
    'are refused before anything is sent if a line contains what they cannot express: %s',
    async (what, endpoint, text) => {
      // Batches of other tests are still polled.
      const sent = () => vendor.upstream.requests.filter(({ method }) => method !== 'GET').length;
      const before = sent();
      await expect(making(text, endpoint)).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(new RegExp(`Line 2 .*${what}`)),
      });
      expect(sent()).toBe(before);
    },
  );

  it('leave no lines at a provider that refuses them', async () => {
    const before = vendor.datasets();
    await expect(making(embedding('a', { input_type: 7 }), embeddings)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('The provider refuses the lines: row 1 does not match the schema'),
    });
    await expect(making(chat('a', { model: 'gone' }), chats)).rejects.toMatchObject({
      ...{ status: 404, error: { message: "model 'gone' not found", param: null } },
    });
    expect(vendor.datasets()).toEqual(before);
  });

  it('report why they failed', async () => {
    const made = await making(chat('a'), chats);
    vendor.fail('The model is overloaded.');
    await expect.poll(async () => (await known(made)).status, { interval: 20 }).toBe('failed');
    expect(await known(made)).toMatchObject({
      errors: { object: 'list', data: [{ code: 'provider_error', message: 'The model is overloaded.' }] },
      failed_at: expect.any(Number),
    });
  });

  it.each<readonly [string, AnswerPart]>([
    ['gone', (call) => call.answer({ status: 410, body: '<Error><Code>Gone</Code></Error>' })],
    ['refused', (call) => call.answer({ status: 403, body: '<Error><Code>ExpiredToken</Code></Error>' })],
    ['cut off', (call) => call.answer({ body: 'Obj\u0001'.repeat(100), cutAfter: 150 })],
    ['in another format', (call) => call.answer({ body: '{"custom_id":"a"}\n' })],
    ['cut within a block', (call, whole) => call.answer({ body: whole.subarray(0, -40) })],
    [
      'without their only block',
      (call, whole) => call.answer({ body: whole.subarray(0, whole.indexOf(whole.subarray(-16)) + 16) }),
    ],
  ])('wait for parts of their results that are %s, and charge each line once', async (_, handler) => {
    const made = await making(chat('a') + chat('b'), chats);
    vendor.answerParts(handler);
    vendor.finish();
    const asked = vendor.storage.requests.length;
    await expect
      .poll(async () => [(await known(made)).status, vendor.storage.requests.length > asked], { interval: 20 })
      .toEqual(['finalizing', true]);
    vendor.answerParts();
    const batch = await ended(made);
    expect(await results(batch.output_file_id)).toHaveLength(2);
    expect(batch.usage).toMatchObject({ input_tokens: 42, output_tokens: 18 });
    const label = encodeURIComponent(`file=${made.input_file_id}`);
    const { summary } = await control(world.gateway, `GET /usage?metadata=${label}`);
    expect(summary).toMatchObject({ reported: 2, input_tokens: 42, output_tokens: 18 });
  });

  it('show their signed addresses to nobody', async () => {
    const paths = vendor.storage.requests.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.every((path) => path.includes('X-Goog-Signature'))).toBe(true);
    const records = async () =>
      (await control(world.gateway, 'GET /logs?limit=20')).data as never as { id: string; path: string }[];
    await expect
      .poll(async () => (await records()).filter(({ path }) => path.endsWith('.avro')).length, { interval: 50 })
      .toBeGreaterThan(0);
    for (const { id } of await records())
      expect(JSON.stringify(await control(world.gateway, `GET /logs/${id}`))).not.toMatch(/5afe.{1,3}signed/i);
  });
});
