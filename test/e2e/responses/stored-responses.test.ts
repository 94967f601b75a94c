import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicError } from '../../support/vendors/anthropic-wire.ts';
import { failure, models, ResponsesWorld } from './responses-world.ts';

let world: ResponsesWorld;
/** A vendor whose model has a context window of three messages, or that answers with the status that the input names. */
let long: TestUpstream;

const toClient = (provider: string | undefined, key?: string) => world.client(provider, key);

beforeAll(async () => {
  world = await ResponsesWorld.start();
  long = await startUpstream((call) => {
    const status = /Status (\d{3})/.exec(call.request.text())?.[1];
    if (status === undefined && call.request.json().messages.length <= 3) call.json(anthropicAnswer({ text: 'Yes.' }));
    else
      call.json(anthropicError('invalid_request_error', 'prompt is too long: 300 tokens > 200 maximum'), {
        status: Number(status ?? 400),
      });
  });
  await world.save({ slug: 'long', provider: 'anthropic', host: `${long.origin}/v1` });
});

afterAll(async () => {
  await world?.stop();
  await long?.close();
});

describe.each(['native', 'claude', 'gemini'])('the official client on the provider %s', (provider) => {
  const model = models[provider] ?? '';

  it('stores, retrieves, continues and deletes', async () => {
    const client = toClient(provider);
    const first = await client.responses.create({
      ...{ model, input: 'My name is Ann.', store: true, metadata: { topic: 'names' }, instructions: 'Be brief.' },
    });
    expect(first).toMatchObject({ object: 'response', status: 'completed', store: true, metadata: { topic: 'names' } });
    expect(first.id.startsWith('gw-resp-')).toBe(provider !== 'native');
    // It is found by its id alone.
    const found = await toClient(undefined).responses.retrieve(first.id);
    expect(found).toEqual({ ...first, _request_id: undefined, output_text: found.output_text });
    const { data } = await client.responses.inputItems.list(first.id);
    expect(data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'My name is Ann.' }] },
    ]);

    const second = await client.responses.create({
      ...{ model, input: [{ role: 'user', content: 'Who am I?' }], previous_response_id: first.id, store: true },
    });
    expect(second.previous_response_id).toBe(first.id);
    expect((await client.responses.retrieve(second.id)).previous_response_id).toBe(first.id);

    await toClient(undefined).responses.delete(first.id);
    expect((await failure(toClient(undefined).responses.retrieve(first.id))).status).toBe(404);
    const message = expect.stringContaining(`The response '${second.id}' continues one that was deleted`);
    expect(await failure(client.responses.create({ model, input: 'More?', previous_response_id: second.id }))).toEqual(
      provider === 'native'
        ? {}
        : expect.objectContaining({ status: 400, code: 'previous_response_not_found', message }),
    );
  });

  it('retrieves a response with every value of include', async () => {
    const client = toClient(provider);
    const { id, output } = await client.responses.create({
      ...{ model, input: 'Hello?', store: true, include: ['reasoning.encrypted_content'] },
    });
    const include: OpenAI.Responses.ResponseIncludable[] = [
      ...(['file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources'] as const),
      ...(['message.input_image.image_url', 'message.output_text.logprobs'] as const),
      ...(['computer_call_output.output.image_url', 'code_interpreter_call.outputs'] as const),
      'reasoning.encrypted_content',
    ];
    const found = await client.responses.retrieve(id, { include, include_obfuscation: false });
    expect(found.output).toEqual(output);
    expect((await client.responses.inputItems.list(id, { include })).data).toMatchObject([{ role: 'user' }]);
  });

  it('finds a streamed response as soon as the stream has ended', async () => {
    const client = toClient(provider);
    const events = await client.responses.create({ model, input: 'Hello?', store: true, stream: true });
    const ids = new Set<string>();
    let text = '';
    let last = {};
    for await (const event of events) {
      if (event.type === 'response.output_text.delta') text += event.delta;
      if ('response' in event) ids.add(event.response.id);
      if (event.type !== 'response.completed') continue;
      last = event.response;
      expect(await toClient(undefined).responses.retrieve(event.response.id)).toMatchObject({ id: event.response.id });
    }
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    const found = await client.responses.retrieve(id);
    expect(found.output_text).toBe(text);
    expect(found).toMatchObject({ ...last });
  });
});

describe.each(['native', 'claude', 'gemini'])(
  'the official client in the background, on the provider %s',
  (provider) => {
    const model = models[provider] ?? '';

    it('gets an answer immediately, streams, resumes after a number, continues and cancels', async () => {
      const client = toClient(provider);
      const events = await client.responses.create({ model, input: 'Hello?', background: true, stream: true });
      const numbers: number[] = [];
      let id = '';
      for await (const event of events) {
        numbers.push(event.sequence_number);
        if (event.type === 'response.created') id = event.response.id;
        if (numbers.length === 2) break;
      }
      const rest = await toClient(undefined).responses.retrieve(id, { stream: true, starting_after: 1 });
      let text = '';
      let last = '';
      for await (const event of rest) {
        numbers.push(event.sequence_number);
        if (event.type === 'response.output_text.delta') text += event.delta;
        last = event.type;
      }
      expect([numbers, last]).toEqual([numbers.map((_, at) => at), 'response.completed']);
      const found = await client.responses.retrieve(id);
      expect(found).toMatchObject({ id, status: 'completed', background: true, output_text: text });
      expect((await client.responses.cancel(id)).status).toBe('completed');
      const next = await client.responses.create({ model, input: 'More?', previous_response_id: id, background: true });
      expect(next).toMatchObject({ status: 'in_progress', previous_response_id: id });
      await expect.poll(async () => (await client.responses.retrieve(next.id)).status).toBe('completed');
      await client.responses.delete(id);
      expect((await failure(client.responses.retrieve(id))).status).toBe(404);
    });
  },
);

describe('a conversation over several providers', () => {
  it('is rebuilt for each provider, and a provider with its own store gets the request unchanged', async () => {
    const one = await toClient('native').responses.create({ model: 'gpt-5', input: 'One.', store: true });
    const two = await toClient('claude').responses.create({
      ...{ model: 'claude-sonnet-4-5', input: 'Two.', previous_response_id: one.id, store: true },
    });
    expect(world.anthropic.requests.at(-1)?.json().messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: one.output_text }] },
      { role: 'user' },
    ]);
    const three = await toClient('native').responses.create({
      ...{ model: 'gpt-5', input: 'Three.', previous_response_id: two.id, store: true },
    });
    expect(three.output_text).toBe('Items: 5.');
    expect(three.previous_response_id).toBe(two.id);
    const body = { model: 'gpt-5', input: 'Four.', previous_response_id: three.id, store: true };
    await toClient('native').responses.create(body);
    expect(world.native.requests.at(-1)?.json()).toEqual(body);
    // Its provider has lost it.
    world.native.kept.clear();
    const again = await toClient('native').responses.create(body);
    expect(again.output_text).toBe('Items: 7.');
    expect(again.previous_response_id).toBe(three.id);
  });

  it('continues at another provider after a fallback, without content that only the first provider can read', async () => {
    const include = ['reasoning.encrypted_content' as const];
    const one = await toClient('native').responses.create({ model: 'gpt-5', input: 'One.', store: true, include });
    const targets = [
      { provider: '@native', retry: { attempts: 0 } },
      { provider: '@claude', override_params: { model: 'claude-sonnet-4-5' } },
    ];
    const config = JSON.stringify({ strategy: { mode: 'fallback' }, targets });
    const body = { model: 'gpt-5', input: 'You are overloaded.', previous_response_id: one.id, store: true };
    const two = await toClient('native').responses.create(body, { headers: { 'x-gw-config': config } });
    expect(world.native.requests.at(-1)?.json()).toEqual(body);
    expect(world.anthropic.requests.at(-1)?.json().messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: one.output_text }] },
      { role: 'user' },
    ]);
    expect(world.anthropic.requests.at(-1)?.text()).not.toContain('sealed');
    expect(two).toMatchObject({ store: true, previous_response_id: one.id });
    // Back at the first provider, it gets its own reasoning again.
    await toClient('native').responses.create({ model: 'gpt-5', input: 'Three.', previous_response_id: two.id });
    const sent = world.native.requests.at(-1)?.json().input;
    expect(sent).toContainEqual(
      expect.objectContaining({ type: 'reasoning', encrypted_content: one.id.replace('resp_native', 'sealed') }),
    );
  });

  it('continues at the provider that stores it, even if a config would balance, fall back or decide', async () => {
    const claude = { provider: '@claude', override_params: { model: 'claude-sonnet-4-5' } };
    const native = { provider: '@native' };
    const balanced = {
      strategy: { mode: 'loadbalance' },
      targets: [
        { ...claude, weight: 0.999 },
        { ...native, weight: 0.001 },
      ],
    };
    const deciding = {
      strategy: { mode: 'conditional', conditions: [{ query: { 'params.model': 'gpt-5' }, then: 'a' }], default: 'b' },
      targets: [
        { name: 'a', ...balanced },
        { name: 'b', ...claude },
      ],
    };
    const configs = [balanced, { strategy: { mode: 'fallback' }, targets: [claude, native] }, deciding];
    for (const config of configs) {
      const headers = { 'x-gw-config': JSON.stringify(config) };
      const client = world.client(undefined);
      const one = await toClient('native').responses.create({ model: 'gpt-5', input: 'One.', store: true });
      const body = { model: 'gpt-5', input: 'Two.', previous_response_id: one.id, store: true };
      await client.responses.create(body, { headers });
      expect(world.native.requests.at(-1)?.json()).toEqual(body);
      // A request without a previous response goes where the config sends it.
      const before = world.anthropic.requests.length;
      const asked = Array.from({ length: 4 }, () =>
        client.responses.create({ model: 'gpt-5', input: 'Hi.', store: true }, { headers }),
      );
      await Promise.all(asked);
      expect(world.anthropic.requests.length).toBeGreaterThan(before);
    }
    // A target that the config never selects is not preferred.
    const never = { ...balanced, targets: [claude, { ...native, weight: 0 }] };
    const one = await toClient('native').responses.create({ model: 'gpt-5', input: 'One.', store: true });
    const before = world.anthropic.requests.length;
    const body = { model: 'gpt-5', input: 'Two.', previous_response_id: one.id };
    await world.client(undefined).responses.create(body, { headers: { 'x-gw-config': JSON.stringify(never) } });
    expect(world.anthropic.requests).toHaveLength(before + 1);
  });

  it('survives a restart of the gateway', async () => {
    const one = await toClient('gemini').responses.create({ model: 'gemini-2.5-flash', input: 'One.', store: true });
    world.gateway.signal('SIGTERM');
    await world.gateway.exited;
    await world.startGateway();
    await toClient('claude').responses.create({
      ...{ model: 'claude-sonnet-4-5', input: 'Two.', previous_response_id: one.id },
    });
    expect(world.anthropic.requests.at(-1)?.json().messages).toHaveLength(3);
  });
});

describe('a conversation that is too long for its model', () => {
  const model = 'claude-sonnet-4-5';
  const tooLong = 'prompt is too long: 300 tokens > 200 maximum';

  it('drops its oldest turns if truncation is auto, and returns 400 otherwise', async () => {
    const client = toClient('long');
    const one = await client.responses.create({ model, input: 'One.', store: true });
    const two = await client.responses.create({ model, input: 'Two.', previous_response_id: one.id, store: true });
    const body = { model, input: 'Three.', previous_response_id: two.id, store: true, instructions: 'Be brief.' };
    const refused = await failure(client.responses.create({ ...body, truncation: 'disabled' }));
    const code = 'context_length_exceeded';
    expect(refused).toMatchObject({ status: 400, code, message: expect.stringContaining(tooLong) });
    const cut = await client.responses.create({ ...body, truncation: 'auto' });
    expect(cut).toMatchObject({ truncation: 'auto', previous_response_id: two.id, status: 'completed' });
    expect(long.requests.at(-1)?.json()).toMatchObject({
      system: expect.anything(),
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
    });
  });

  it.each([413, 422])('returns 400 if its provider answers with %i', async (status) => {
    const body = { model, input: `Status ${status}`, store: true };
    for (const more of [{}, { truncation: 'disabled' as const }, { stream: true as const }])
      expect(await failure(toClient('long').responses.create({ ...body, ...more }))).toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        message: expect.stringContaining(tooLong),
      });
  });
});

describe('another tenant', () => {
  it('cannot find, continue or delete anything, even in an account that both share', async () => {
    for (const provider of ['native', 'claude']) {
      const model = models[provider] ?? '';
      const mine = await toClient(provider).responses.create({ model, input: 'A secret.', store: true });
      const other = toClient(provider, world.otherKey);
      const outcomes = await Promise.all([
        failure(other.responses.retrieve(mine.id)),
        failure(other.responses.inputItems.list(mine.id)),
        failure(other.responses.delete(mine.id)),
        failure(other.responses.create({ model, input: 'What?', previous_response_id: mine.id })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
      expect((await toClient(provider).responses.retrieve(mine.id)).id).toBe(mine.id);
    }
  });
});

describe('a workspace that stores responses', () => {
  it('stores responses by default, but none with store: false', async () => {
    await control(world.gateway, 'PUT /workspaces/other', { body: { settings: { keep_responses: true } } });
    const client = toClient('claude', world.otherKey);
    const model = 'claude-sonnet-4-5';
    const kept = await client.responses.create({ model, input: 'Keep this.' });
    expect((await client.responses.retrieve(kept.id)).id).toBe(kept.id);
    const not = await client.responses.create({ model, input: 'Not this.', store: false });
    expect(not.id.startsWith('gw-resp-')).toBe(false);
    expect(await toClient('claude').responses.create({ model, input: 'Nor this.' })).toMatchObject({ store: false });
  });
});

describe('an invalid request', () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
  it.each([
    ['temperature', { temperature: 2.1 }],
    ['top_p', { top_p: -0.1 }],
    ['metadata', { metadata: pairs(17) }],
    ['metadata', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['metadata', { metadata: { k: 'v'.repeat(513) } }],
    ['truncation', { truncation: 'some' }],
    ['previous_response_id', { previous_response_id: 'gw-resp-none' }],
    ['parallel_tool_calls', { background: true, parallel_tool_calls: 'yes' }],
    ['tools', { background: true, tools: {} }],
    ['tools', { background: true, tools: ['web_search'] }],
    ['tool_choice', { background: true, tool_choice: true }],
    ['tool_choice', { background: true, tool_choice: ['auto'] }],
  ])('gets an error that names the member: %s', async (param, members) => {
    const body = { model: 'gpt-5', input: 'Hello?', store: true, ...members };
    const outcome = await failure(toClient('native').responses.create(body as never));
    expect([outcome.status, outcome.param]).toEqual([400, param]);
  });

  it('gets an error that names the query parameter', async () => {
    const made = await toClient('claude').responses.create({ model: 'm', input: 'Hi', store: true });
    const include = ['nothing'] as never[];
    expect((await failure(toClient('claude').responses.retrieve(made.id, { include }))).status).toBe(400);
    const limits = await Promise.all(
      [0, 101].map((limit) => failure(toClient('claude').responses.inputItems.list(made.id, { limit }))),
    );
    expect(limits.map(({ status, param }) => [status, param])).toEqual([
      [400, 'limit'],
      [400, 'limit'],
    ]);
    const cursors = await Promise.all(
      [{ after: 'none' }, { before: 'none' }].map((page) =>
        failure(toClient('claude').responses.inputItems.list(made.id, page as never)),
      ),
    );
    expect(cursors.map(({ status, param }) => [status, param])).toEqual([
      [400, 'after'],
      [400, 'before'],
    ]);
  });
});
