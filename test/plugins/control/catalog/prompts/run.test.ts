import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { renderedPromptSchema } from '../../../../../plugins/control/catalog/prompts/prompt-content.ts';
import { compileSchema } from '../../../../../plugins/sdk/parameters/compile-schema.ts';
import { startUpstream } from '../../../../support/servers/upstream-server.ts';
import { chatPrompt, promptWorld } from './support/prompt-world.ts';

const put = (json: unknown) => ({ method: 'PUT', json });
const messages = (content: string) => JSON.stringify([{ role: 'user', content }]);
const variables = { who: 'Ann "A" {{who}}' };

describe('POST /prompts/{id}/render', () => {
  it('returns the rendered prompt with the parameters of the request instead of its own', async () => {
    await using world = await promptWorld();
    const { id } = await world.make('/prompts', chatPrompt);
    const { status, body } = await world.ask('/prompts/greeting/render', {
      json: { variables, max_tokens: 7, stream: true, stop: null, vendor_option: [1] },
    });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          messages: [{ role: 'user', content: 'Hello, Ann "A" {{who}}!' }],
          ...{ model: 'echo', max_tokens: 7, stream: true, stop: null, vendor_option: [1] },
        },
      },
    ]);
    expect(compileSchema(renderedPromptSchema).validate(body.data).errors).toEqual([]);
    expect((await world.ask(`/prompts/${id}/render`, { json: { variables } })).body.data.max_tokens).toBe(50);
    expect(world.exchanges).toEqual([]);
  });

  it('renders the version that the reference names', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    await world.ask('/prompts/greeting', put({ patch: true, string: messages('Two') }));
    await world.ask('/prompts/greeting', put({ patch: true, string: 'Three, {{who}}' }));
    await world.ask('/labels', { json: { name: 'live' } });
    await world.ask('/prompts/greeting/labels', put({ label: 'live', version: 2 }));
    const readData = async (reference: string) =>
      (await world.ask(`/prompts/${reference}/render`, { json: { variables: { who: 'you' } } })).body.data;
    expect((await readData('greeting')).messages[0].content).toBe('Hello, you!');
    expect((await readData('greeting@live')).messages[0].content).toBe('Two');
    expect((await readData('greeting@2')).messages[0].content).toBe('Two');
    expect(await readData('greeting@latest')).toEqual({ prompt: 'Three, you', model: 'echo', max_tokens: 50 });
    await world.ask('/prompts/greeting/makeDefault', put({ version: 3 }));
    expect((await readData('greeting')).prompt).toBe('Three, you');
    expect((await readData('greeting@published')).prompt).toBe('Three, you');
  });

  it.each<[string, object, number, string[]]>([
    ['without variables', {}, 400, ['']],
    ['with variables that are not an object', { variables: ['x'] }, 400, ['/variables']],
    ['with nested parameters', { variables, hyperparameters: { max_tokens: 1 } }, 400, ['/hyperparameters']],
    ['with a parameter of the wrong type', { variables, temperature: 'hot' }, 400, ['/temperature']],
  ])('refuses a request %s', async (_, json, status, pointers) => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const answer = await world.ask('/prompts/greeting/render', { json });
    expect(answer.status).toBe(status);
    expect(answer.body.error.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    if ('hyperparameters' in json) expect(answer.body.error.errors[0].hint).toContain('one level higher');
  });

  it('names the variables that are inserted without a value, in partials too, and renders nothing for them', async () => {
    await using world = await promptWorld();
    await world.make('/prompts/partials', { name: 'Rules', slug: 'rules', string: 'Be {{tone}}.' });
    const string = messages(
      'Hi {{who}}, {{user.name}}{{#items}}[{{title}}]{{/items}}{{^urgent}}-{{/urgent}}{{nothing}} {{>rules}} {{who}}',
    );
    await world.make('/prompts', { ...chatPrompt, string });
    const render = async (given: object) =>
      (await world.ask('/prompts/greeting/render', { json: { variables: given } })).body;
    const given = { user: {}, items: [{ title: 'a' }, {}], nothing: null };
    expect(await render(given)).toMatchObject({
      success: true,
      data: { messages: [{ role: 'user', content: 'Hi , [a][]- Be . ' }] },
      missing_variables: ['who', 'user.name', 'title', 'tone'],
    });
    const whole = { who: 'Ann', user: { name: '' }, tone: 'kind', nothing: null };
    expect(await render(whole)).not.toHaveProperty('missing_variables');
    const many = messages(Array.from({ length: 101 }, (_, at) => `{{v${at}}}`).join(''));
    await world.ask('/prompts/greeting', put({ patch: true, string: many }));
    await world.ask('/prompts/greeting/makeDefault', put({ version: 2 }));
    expect((await render({})).missing_variables).toHaveLength(100);
  });

  it('reports variables that cannot be rendered, and returns 404 for an unknown prompt', async () => {
    await using world = await promptWorld();
    const raw = { ...chatPrompt, string: '[{"role":"user","content":"{{{who}}}"}]', is_raw_template: 1 };
    await world.make('/prompts', raw);
    const { status, body } = await world.ask('/prompts/greeting/render', { json: { variables } });
    expect([status, body.error.errors]).toMatchObject([400, [{ pointer: '/variables' }]]);
    for (const id of ['nobody', 'greeting@2', 'greeting@live', 'partials'])
      expect([id, await world.ask(`/prompts/${id}/render`, { json: { variables } })]).toMatchObject([
        id,
        { status: 404, body: { error: { code: 'AB08' } } },
      ]);
  });
});

describe('POST /prompts/{id}/completions', () => {
  it('returns the completion of the rendered prompt by its virtual key or provider', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const chat = await world.ask('/prompts/greeting/completions', { json: { variables: { who: 'you' } } });
    expect(chat).toMatchObject({
      status: 200,
      body: { object: 'chat.completion', choices: [{ message: { content: 'Hello, you!' } }] },
    });
    expect(chat.headers.get('x-gw-provider')).toBe('echo');
    expect(world.exchanges).toHaveLength(1);
    expect(world.exchanges[0]?.json()).toEqual({
      messages: [{ role: 'user', content: 'Hello, you!' }],
      ...{ model: 'echo', max_tokens: 50 },
    });

    await world.make('/prompts', { ...chatPrompt, slug: 'mirrored', virtual_key: '@mirror' });
    const mirrored = await world.ask('/prompts/mirrored/completions', { json: { variables: { who: 'you' } } });
    expect(mirrored.body.choices[0].message.content).toBe('Hello, you!');
  });

  it('sends a text prompt as a text completion', async () => {
    const upstream = await startUpstream(({ json }) =>
      json({
        id: 'c',
        object: 'text_completion',
        model: 'm',
        choices: [{ index: 0, text: '…', finish_reason: 'stop' }],
      }),
    );
    onTestFinished(() => upstream.close());
    const local = {
      provider: 'openai',
      credential: { api_key: 'sk-test' },
      settings: { custom_host: `${upstream.origin}/v1` },
    };
    await using world = await promptWorld({ local }, ['127.0.0.1']);
    const tale = { ...chatPrompt, slug: 'tale', string: 'Tell of {{x}}.', virtual_key: 'local', model: 'm' };
    await world.make('/prompts', tale);
    const { status, body } = await world.ask('/prompts/tale/completions', { json: { variables: { x: 'Rome' } } });
    expect([status, body.object]).toEqual([200, 'text_completion']);
    const [request] = upstream.requests;
    expect(request?.path).toBe('/v1/completions');
    expect(request?.json()).toEqual({ prompt: 'Tell of Rome.', model: 'm', max_tokens: 50 });
  });

  it('streams the response if the request asks for a stream', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const answer = await fetch(`${world.origin}/v1/prompts/greeting/completions`, {
      method: 'POST',
      headers: { 'x-gw-api-key': world.adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ variables, stream: true }),
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(await answer.text()).toMatch(/^data: .*chat\.completion\.chunk[\s\S]*data: \[DONE\]/);
  });

  it('documents each form of its response: whole or streamed, and with the status of a failed check', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const { paths } = (await world.ask('/openapi.json')).body;
    const { responses } = paths['/prompts/{id}/completions'].post;
    const input_guardrails = [{ 'default.contains': { words: ['ann'], operator: 'none' }, deny: false }];
    for (const [stream, type] of [
      [false, 'application/json'],
      [true, 'text/event-stream'],
    ] as const)
      for (const [config, status] of [
        [{}, 200],
        [{ provider: 'echo', input_guardrails }, 246],
      ] as const) {
        const answer = await fetch(`${world.origin}/v1/prompts/greeting/completions`, {
          method: 'POST',
          headers: {
            'x-gw-api-key': world.adminKey,
            'content-type': 'application/json',
            'x-gw-config': JSON.stringify(config),
          },
          body: JSON.stringify({ variables: { who: 'ann' }, stream }),
        });
        await answer.text();
        expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([status, type]);
        expect(responses[answer.status] ?? responses.default).toHaveProperty(['content', type]);
      }
  });

  it('sets the label _prompt, whatever the request and its key contain', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const key = await world.keyWith(['completions.write'], {
      defaults: { metadata: { _prompt: 'of the key', team: 'a' } },
    });
    const headers = { 'x-gw-metadata': JSON.stringify({ _prompt: 'mine', feature: 'b' }) };
    await world.ask('/prompts/greeting@1/completions', { key, headers, json: { variables } });
    expect(world.exchanges.map(({ facts }) => facts.metadata)).toEqual([
      { _organisation: world.admin.organisation, _prompt: 'greeting', feature: 'b', team: 'a' },
    ]);
  });

  it('uses the provider or config of the request if it has one', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const answered = async (headers: Record<string, string>) => {
      const answer = await world.ask('/prompts/greeting/completions', { headers, json: { variables: { who: 'you' } } });
      return [answer.status, answer.headers.get('x-gw-last-used-option-index'), answer.body.error?.code];
    };
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: '@nowhere' }, { provider: '@mirror' }] };
    expect((await answered({ 'x-gw-config': JSON.stringify(config) }))[0]).toBe(400);
    const good = { strategy: { mode: 'fallback' }, targets: [{ provider: '@mirror' }] };
    expect(await answered({ 'x-gw-config': JSON.stringify(good) })).toEqual([200, 'config.targets[0]', undefined]);
    expect((await answered({ 'x-gw-virtual-key': 'nobody' }))[0]).toBeGreaterThanOrEqual(400);
    expect((await answered({ 'x-gw-provider': '@nobody' }))[0]).toBeGreaterThanOrEqual(400);
    expect((await answered({ 'x-gw-provider': '@mirror' }))[0]).toBe(200);
    expect((await answered({ 'x-gw-config': '{"request_timeout": 5000}' }))[0]).toBe(200);
  });

  it('returns the errors of the data path unchanged, and earlier errors as the control plane does', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const missing = await world.ask('/prompts/greeting/completions', {
      headers: { 'x-gw-config': 'nobody' },
      json: { variables },
    });
    expect([missing.status, missing.body.error.code]).toEqual([404, 'unknown-config']);
    expect((await world.ask('/prompts/nobody/completions', { json: { variables } })).body.error.code).toBe('AB08');
    expect((await world.ask('/prompts/greeting/completions', { json: {} })).body.error.code).toBe('AB01');
  });

  it("works with OpenAI's client if its base URL is that of a prompt", async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const client = new OpenAI({
      baseURL: `${world.origin}/v1/prompts/greeting`,
      apiKey: await world.keyWith(['completions.write']),
      maxRetries: 0,
    });
    const body = { variables: { who: 'you' } };
    const whole = await client.post<OpenAI.ChatCompletion>('/completions', { body });
    expect(whole.choices[0]?.message.content).toBe('Hello, you!');
    // The client's own method, with the member that only prompts have.
    const asked = { ...body, stream: true } as unknown as OpenAI.CompletionCreateParamsStreaming;
    const chunks: string[] = [];
    for await (const chunk of await client.completions.create(asked)) {
      const { choices } = chunk as unknown as OpenAI.ChatCompletionChunk;
      chunks.push(choices[0]?.delta.content ?? '');
    }
    expect(chunks.join('')).toBe('Hello, you!');
    await expect(client.post('/completions', { body: {} })).rejects.toMatchObject({ status: 400, code: 'AB01' });
  });
});
