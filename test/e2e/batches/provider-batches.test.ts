import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { type AccountsWorld, accountsWorld } from '../../support/vendors/accounts-world.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { startAnthropicBatches } from '../../support/vendors/batches/anthropic-batches.ts';
import { batchAccounts } from '../../support/vendors/batches/batch-accounts.ts';
import { startMistralBatches } from '../../support/vendors/batches/mistral-batches.ts';
import { startOpenaiBatches } from '../../support/vendors/batches/openai-batches.ts';
import { toSum } from '../limits/support/limited-gateway.ts';

/** A member that the gateway adds to a batch that has ended. */
interface Charged {
  readonly cost: number;
}

const line = (id: string, model: string, content: string, parameters: object = { stop: ['end'] }): string =>
  `${JSON.stringify({
    ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
    body: { model, messages: [{ role: 'user', content }], max_tokens: 50, ...parameters },
  })}\n`;

const parsed = (text: string): readonly { readonly [member: string]: never }[] =>
  text
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));

/** The members that a result has at every provider. */
const shown = ({ custom_id: id, response, error }: Record<string, Record<string, never>>) => ({
  id,
  status: response?.status_code,
  text: (response?.body as unknown as OpenAI.ChatCompletion | undefined)?.choices?.[0]?.message.content,
  error,
});

const seconds = expect.toSatisfy((value: number) => Number.isInteger(value) && value > 1e9 && value < 1e10);

describe('batches of providers with the official client', () => {
  let world: AccountsWorld;
  beforeAll(async () => {
    world = await accountsWorld();
  });
  afterAll(() => world.gateway.stop());

  const at = (provider: string) => ({ headers: { 'x-gw-provider': provider, 'x-gw-virtual-key': null } });
  const uploaded = async (client: OpenAI, text: string, provider = 'gw'): Promise<string> => {
    const body = { file: new File([text], 'in.jsonl'), purpose: 'batch' } as const;
    return (await client.files.create(body, at(provider))).id;
  };

  it.each(batchAccounts)(
    'work the same at $provider with $model',
    async ({ start, model, executor, parameters, failed = 400, ...account }) => {
      const vendor = await start();
      const { slug = account.provider } = account;
      await world.save({ ...account, slug, origin: vendor.upstream.origin });
      const client = world.client(slug);
      const input = await uploaded(
        client,
        [
          line('one', model, 'Hi', parameters),
          line('two', model, 'fail, please', parameters),
          line('three', model, 'Hi again', parameters),
        ].join(''),
      );
      const about = { endpoint: '/v1/chat/completions', completion_window: '24h', metadata: { team: 'a' } } as const;
      const made = await client.batches.create(
        { ...about, input_file_id: input },
        { headers: { 'x-gw-metadata': JSON.stringify({ team: slug }) } },
      );
      const whole = { object: 'batch', ...about, input_file_id: input, executor, created_at: seconds };
      expect(made).toMatchObject(whole);
      expect(['validating', 'in_progress']).toContain(made.status);
      expect(Object.values(made)).not.toContain(null);

      vendor.finish();
      const seen: string[] = [];
      const charged = async () => {
        const batch = (await client.batches.retrieve(made.id)) as OpenAI.Batch & Charged;
        seen.push(batch.status);
        return batch;
      };
      await expect.poll(async () => (await charged()).cost, { interval: 20 }).toBeGreaterThan(0);
      expect(['finalizing', 'completed']).toEqual(expect.arrayContaining([...new Set(seen)]));
      const ended = await charged();
      expect(ended).toMatchObject({ ...whole, id: made.id, status: 'completed', completed_at: seconds });
      expect(ended.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
      expect(ended.usage).toMatchObject({ input_tokens: 42, output_tokens: 18, total_tokens: 60 });
      const { summary } = await control(world.gateway, `GET /usage?metadata=team%3D${slug}&model=${model}`);
      expect(summary).toMatchObject({
        ...{ reported: 2, input_tokens: 42, output_tokens: 18 },
        nano_usd: String(Math.round(ended.cost * 1e9)),
      });
      const paths = vendor.upstream.requests
        .map(({ path }) => path)
        .filter((path) => /\/(results|content)$/.test(path));
      expect(new Set(paths).size, 'each file of results is read once').toBe(paths.length);
      const read = async (id: string | undefined) => {
        const results = parsed(
          await (await client.files.content(id ?? '', at(executor === 'native' ? `@${slug}` : 'gw'))).text(),
        ).map(shown);
        return results.sort((one, other) => String(one.id).localeCompare(String(other.id)));
      };
      const done = { status: 200, error: null, text: 'Done.' };
      expect((await read(ended.output_file_id)).map(({ text: _, ...rest }) => rest)).toEqual([
        { id: 'one', status: 200, error: null },
        { id: 'three', status: 200, error: null },
      ]);
      expect((await read(ended.output_file_id))[0]).toEqual({ id: 'one', ...done });
      expect(await read(ended.error_file_id)).toEqual([{ id: 'two', status: failed, error: null, text: undefined }]);
      const output = await fetch(`${world.gateway.baseUrl}/batches/${made.id}/output`, {
        headers: { 'x-gw-api-key': 'the-admin-key-of-this-test-with-40-chars', 'x-gw-virtual-key': slug },
      });
      expect(parsed(await output.text())).toHaveLength(2);

      const other = await client.batches.create({ ...about, input_file_id: input });
      const cancelling = await client.batches.cancel(other.id);
      expect([cancelling.status, cancelling.cancelled_at]).toEqual(['cancelling', undefined]);
      expect(cancelling.cancelling_at, 'in seconds').toBeGreaterThanOrEqual(1_780_000_000);
      expect(cancelling.cancelling_at, 'in seconds').toBeLessThan(1e11);
      vendor.finish();
      const readStatus = async (): Promise<string> => (await client.batches.retrieve(other.id)).status;
      await expect.poll(readStatus, { interval: 20 }).toBe('cancelled');
      const page = await client.batches.list({ limit: 1 });
      const rest = await client.batches.list({ limit: 1, after: page.data[0]?.id ?? '' });
      expect([page, rest].map(({ data, has_more }) => [data.map(({ id }) => id), has_more])).toEqual([
        [[other.id], true],
        [[made.id], false],
      ]);
      const uploads = vendor.upstream.requests.filter(
        ({ path, method }) => method === 'POST' && path.includes('/files'),
      );
      expect(uploads.length, 'once, but where each batch has its own').toBe(
        { native: 1, mapped: uploads.length }[executor],
      );
      await vendor.upstream.close();
    },
  );

  it('keep long numbers exact, in tool schemas and in arguments of calls', async () => {
    const long = '1234567890123456789';
    const time = '2026-09-21T13:33:20Z';
    const batch = {
      ...{ id: 'msgbatch_1', type: 'message_batch', processing_status: 'ended', created_at: time, ended_at: time },
      request_counts: { processing: 0, succeeded: 1, errored: 0, canceled: 0, expired: 0 },
      ...{ expires_at: time, cancel_initiated_at: null, archived_at: null, results_url: 'https://h/results' },
    };
    const message = anthropicAnswer({ text: 'Found.', model: 'claude-sonnet-4-5' });
    const call = `{"type":"tool_use","id":"toolu_1","name":"find","input":{"id":${long}}}`;
    const upstream = await startUpstream(({ request, json, answer }) => {
      if (!request.path.endsWith('/results')) return json(batch);
      const text = JSON.stringify({ custom_id: 'one', result: { type: 'succeeded', message } });
      return answer({ body: `${text.replace('"content":[', `"content":[${call},`)}\n` });
    });
    const account = { provider: 'anthropic', base: '/v1', slug: 'exact', origin: upstream.origin };
    await world.save(account);
    const client = world.client('exact');
    const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object', maximum: 'LONG' } } }];
    const file = await uploaded(client, line('one', 'claude-sonnet-4-5', 'Hi', { tools }).replace('"LONG"', long));
    const about = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    const { id } = await client.batches.create({ ...about, input_file_id: file });
    expect(upstream.requests.find(({ method }) => method === 'POST')?.text()).toContain(`"maximum":${long}`);
    const output = async () => (await client.batches.retrieve(id)).output_file_id;
    await expect.poll(output, { interval: 20 }).toBeTypeOf('string');
    const results = await (await client.files.content((await output()) ?? '', at('gw'))).text();
    expect(results).toContain(JSON.stringify(`{"id":${long}}`));
    await upstream.close();
  });

  it('may have the same id in two accounts of a workspace', async () => {
    const [one, two] = [await startMistralBatches(), await startMistralBatches()];
    const slugs = ['equal-one', 'equal-two'] as const;
    for (const [at, { upstream }] of [one, two].entries())
      await world.save({ slug: slugs[at] ?? '', provider: 'mistral-ai', origin: upstream.origin, base: '/v1' });
    const clients = slugs.map((slug) => world.client(slug));
    const input_file_id = await uploaded(world.client(slugs[0]), line('one', 'mistral-small-latest', 'Hi'));
    const about = { endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id } as const;
    const ids: string[] = [];
    for (const [at, client] of clients.entries())
      ids.push((await client.batches.create({ ...about, metadata: { account: slugs[at] ?? '' } })).id);
    expect(ids[0]).toBe(ids[1]);
    for (const { finish } of [one, two]) finish();
    for (const [at, client] of clients.entries()) {
      const readOutput = async () => (await client.batches.retrieve(ids[at] ?? '')).output_file_id;
      await expect.poll(readOutput, { interval: 20 }).toMatch(/^gw-file-/);
      expect((await client.batches.list()).data).toMatchObject([{ id: ids[at], metadata: { account: slugs[at] } }]);
    }
    for (const { upstream } of [one, two]) await upstream.close();
  });

  it.each([
    { provider: 'mistral-ai', start: () => startMistralBatches(), model: 'mistral-small-latest' },
    { provider: 'openai', start: startOpenaiBatches, model: 'gpt-4o-mini' },
  ])('at $provider are refused, not cancelled, if the provider repeats the id of an older one', async (row) => {
    const vendor = await row.start();
    const slug = `repeating-${row.provider}`;
    await world.save({ slug, provider: row.provider, origin: vendor.upstream.origin, base: '/v1' });
    const client = world.client(slug);
    const input_file_id = await uploaded(client, line('one', row.model, 'Hi', {}));
    const about = { endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id } as const;
    const { id } = await client.batches.create(about);
    vendor.upstream.handle((call) => call.json({ id, status: 'validating', object: 'batch' }));
    await expect(client.batches.create(about)).rejects.toThrow('has the id of another one');
    expect(vendor.upstream.requests.filter(({ path }) => path.endsWith('/cancel'))).toEqual([]);
    expect((await client.batches.retrieve(id)).id).toBe(id);
    await vendor.upstream.close();
  });

  it('are listed without those that the provider has deleted', async () => {
    const vendor = await startAnthropicBatches();
    await world.save({ slug: 'deleting', provider: 'anthropic', origin: vendor.upstream.origin, base: '/v1' });
    const client = world.client('deleting');
    const input = await uploaded(client, line('one', 'claude-sonnet-4-5', 'Hi'));
    const about = { endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id: input } as const;
    const [first, gone] = [await client.batches.create(about), await client.batches.create(about)];
    vendor.upstream.handle((call) =>
      call.request.path.endsWith(gone.id)
        ? call.json({ type: 'error', error: { type: 'not_found_error', message: 'Gone.' } }, { status: 404 })
        : call.json({ id: first.id, type: 'message_batch', processing_status: 'in_progress', request_counts: {} }),
    );
    expect((await client.batches.list()).data.map(({ id }) => id)).toEqual([first.id]);
    await vendor.upstream.close();
  });

  it('are charged to exhausted limits, which then refuse new batches', async () => {
    const vendor = await startOpenaiBatches();
    const model = 'gpt-4o-mini';
    await world.save({ slug: 'limited', provider: 'openai', origin: vendor.upstream.origin, base: '/v1' });
    const conditions = [{ key: 'virtual_key', value: 'limited' }];
    const { id: policy } = await control(world.gateway, 'POST /policies/usage-limits', {
      body: { type: 'tokens', credit_limit: 45, conditions, group_by: [{ key: 'virtual_key' }] },
    });
    const client = world.client('limited');
    const input_file_id = await uploaded(client, line('a', model, 'Hi'));
    const about = { endpoint: '/v1/chat/completions', completion_window: '24h', input_file_id } as const;
    const labels = { headers: { 'x-gw-metadata': '{"team":"limited"}' } };
    // The first batch uses the limit up when it is charged; the other is still polled and charged.
    const made = [await client.batches.create(about, labels), await client.batches.create(about, labels)];
    vendor.finish();
    const known = async () =>
      (await control(world.gateway, `GET /usage?metadata=team%3Dlimited&model=${model}`)).summary;
    await expect.poll(known, { interval: 20 }).toMatchObject({ input_tokens: 42, output_tokens: 18 });
    expect(await toSum(world.gateway, policy ?? '')).toBe(60);
    await expect(client.batches.create(about)).rejects.toMatchObject({ status: 412 });
    // Existing batches can still be read and cancelled.
    for (const { id } of made) expect((await client.batches.retrieve(id)).id).toBe(id);
    expect((await client.batches.cancel(made[1]?.id ?? '')).status).toBe('cancelling');
    expect((await client.batches.list()).data.map(({ id }) => id)).toContain(made[0]?.id);
    await vendor.upstream.close();
  });

  it('accept a file of the account, but not a file of another workspace', async () => {
    const vendor = await startOpenaiBatches();
    await world.save({ slug: 'own-files', provider: 'openai', origin: vendor.upstream.origin, base: '/v1' });
    const client = world.client('own-files');
    const about = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    const input_file_id = await uploaded(client, line('a', 'gpt-4o-mini', 'Hi'), '@own-files');
    const made = await client.batches.create({ ...about, input_file_id });
    expect([input_file_id, made.input_file_id]).toEqual(['file-1', 'file-1']);
    for (const other of ['file-2', 'gw-file-nobody'])
      await expect(client.batches.create({ ...about, input_file_id: other })).rejects.toMatchObject({ status: 400 });
    await vendor.upstream.close();
  });

  it.each([
    ['Line 2', line('a', 'm', 'Hi') + line('a', 'm', 'Hi')],
    ['Line 1', line('not/one/of/its/ids', 'm', 'Hi')],
    ['Line 1', line('a', 'm', 'Hi').replace('"messages"', '"stream":true,"messages"')],
    ['Line 1', line('a', 'm', 'Hi').replace('/v1/chat/completions', '/v1/embeddings')],
    ['Line 1', '{'],
    ['no lines', '\n'],
  ])('are refused before anything is sent, with what is wrong: %s', async (fact, text) => {
    const vendor = await startAnthropicBatches();
    const slug = `anthropic-${Math.random().toString(36).slice(2)}`;
    await world.save({ slug, provider: 'anthropic', origin: vendor.upstream.origin, base: '/v1' });
    const client = world.client(slug);
    const input_file_id = await uploaded(client, text);
    const making = client.batches.create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' });
    await expect(making).rejects.toMatchObject({ status: 400, message: expect.stringContaining(fact) });
    expect(vendor.upstream.requests).toEqual([]);
    await vendor.upstream.close();
  });

  it('pass on a refusal of the provider in the form of OpenAI', async () => {
    const vendor = await startAnthropicBatches();
    await world.save({ slug: 'elsewhere', provider: 'anthropic', origin: vendor.upstream.origin, base: '/else' });
    const client = world.client('elsewhere');
    const input_file_id = await uploaded(client, line('a', 'claude-sonnet-4-5', 'Hi'));
    const making = client.batches.create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' });
    await expect(making).rejects.toMatchObject({ status: 404, error: { message: 'Not found.', param: null } });
    await vendor.upstream.close();
  });
});
