import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../schema/json/loose.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import type { BatchVendor } from '../../support/vendors/batches/batch-vendor.ts';
import { startMistralBatches } from '../../support/vendors/batches/mistral-batches.ts';
import { readFile } from '../../support/vendors/batches/read-file.ts';

const thinking = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
  { type: 'text', text: 'Let me change it.' },
];
const toCall = (name: string, args: object): object => ({
  id: 'aaaaaaaa1',
  function: { name, arguments: JSON.stringify(args) },
});

/** Answers of Mistral's reasoning models, whose calls have no type: https://docs.mistral.ai/capabilities/reasoning */
const answerTo = ({ tools }: JsonObject, model: string): object => ({
  ...{ id: 'r', object: 'chat.completion', created: 1_790_000_000, model },
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: thinking,
        tool_calls: toObjects(tools).map((tool) => {
          const name = String(findObject(tool.function)?.name);
          return toCall(name, name === 'apply_patch' ? { gw_input: '+ b' } : { path: 'a.ts' });
        }),
      },
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
});

const line = (id: string, content: string, more: object): string =>
  `${JSON.stringify({
    ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'magistral-medium-latest', messages: [{ role: 'user', content }], ...more },
  })}\n`;

const patch = { type: 'custom', custom: { name: 'apply_patch', description: 'Applies a patch.' } };
const ownPatch = { type: 'function', function: { name: 'apply_patch', parameters: { type: 'object' } } };

const parsed = (text: string): readonly JsonObject[] =>
  text
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));

describe('a batch of Mistral', () => {
  let world: AccountsWorld;
  let vendor: BatchVendor;
  beforeAll(async () => {
    [world, vendor] = await Promise.all([accountsWorld(), startMistralBatches(answerTo)]);
    await world.save({ slug: 'mistral-ai', provider: 'mistral-ai', origin: vendor.upstream.origin, base: '/v1' });
  });
  afterAll(async () => {
    await world.gateway.stop();
    await vendor.upstream.close();
  });

  it('translates custom tools in its lines, and completes its answers with what clients need', async () => {
    const client = world.client('mistral-ai');
    const own = { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } };
    const text = [
      line('custom', 'Change a.ts.', { tools: [patch], max_completion_tokens: 50 }),
      line('function', 'Change a.ts.', { tools: [ownPatch], max_tokens: 50 }),
      line('refused', 'fail, please', { max_tokens: 50 }),
    ].join('');
    const file = await client.files.create({ file: new File([text], 'in.jsonl'), purpose: 'batch' }, own);
    const { id } = await client.batches.create({
      ...{ endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id: file.id },
    });
    const upload = vendor.upstream.requests.find(({ path }) => path === '/v1/files');
    if (upload === undefined) throw new Error('No file was sent.');
    const [custom] = parsed((await readFile(upload)).text);
    expect(custom?.body).toMatchObject({
      max_tokens: 50,
      tools: [{ type: 'function', function: { name: 'apply_patch', parameters: { required: ['gw_input'] } } }],
    });

    vendor.finish();
    const readStatus = async (): Promise<string> => (await client.batches.retrieve(id)).status;
    await expect.poll(readStatus, { interval: 20 }).toBe('completed');
    const { output_file_id: output = '', error_file_id: errors = '' } = await client.batches.retrieve(id);
    const read = async (of: string) => parsed(await (await client.files.content(of, own)).text());
    const messages = new Map(
      (await read(output)).map(({ custom_id, response }) => [
        custom_id,
        findObject(toObjects(findObject(findObject(response)?.body)?.choices)[0]?.message),
      ]),
    );
    const says = { role: 'assistant', content: 'Let me change it.', reasoning_content: 'Hm.' };
    expect(messages.get('custom')).toEqual({
      ...says,
      tool_calls: [{ id: 'aaaaaaaa1', type: 'custom', custom: { name: 'apply_patch', input: '+ b' } }],
    });
    expect(messages.get('function')).toEqual({
      ...says,
      tool_calls: [{ type: 'function', ...toCall('apply_patch', { gw_input: '+ b' }) }],
    });
    const [refused] = await read(errors);
    expect(findObject(refused?.response)?.body).toEqual({
      error: { message: 'It cannot be done.', type: 'invalid_request_error', param: null, code: null },
    });
  });

  it('is sent to fill-in-the-middle if its account is configured for it', async () => {
    await world.save({
      ...{ slug: 'filling', provider: 'mistral-ai', origin: vendor.upstream.origin, base: '/v1' },
      settings: { mistral_fim_completion: true },
    });
    const client = world.client('filling');
    const own = { headers: { 'x-gw-provider': 'gw', 'x-gw-virtual-key': null } };
    const text = line('one', 'def add(a, b):', { max_tokens: 50, suffix: 'print(add(1, 2))' });
    const file = await client.files.create({ file: new File([text], 'in.jsonl'), purpose: 'batch' }, own);
    const { id } = await client.batches.create({
      ...{ endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id: file.id },
    });
    const job = vendor.upstream.requests.findLast(({ path, method }) => method === 'POST' && path === '/v1/batch/jobs');
    expect(job?.json()).toMatchObject({ endpoint: '/v1/fim/completions' });
    const upload = vendor.upstream.requests.findLast(({ path }) => path === '/v1/files') ?? expect.unreachable();
    const [written] = parsed((await readFile(upload)).text);
    expect(written?.body).toEqual({ prompt: 'def add(a, b):', suffix: 'print(add(1, 2))', max_tokens: 50 });

    vendor.finish();
    const readOutput = async () => (await client.batches.retrieve(id)).output_file_id;
    await expect.poll(readOutput, { interval: 20 }).toMatch(/^gw-file-/);
    const [answered] = parsed(await (await client.files.content((await readOutput()) ?? '', own)).text());
    expect(findObject(toObjects(findObject(findObject(answered?.response)?.body)?.choices)[0]?.message)).toMatchObject({
      role: 'assistant',
      content: 'Let me change it.',
    });
  });
});
