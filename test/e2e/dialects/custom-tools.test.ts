import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../schema/json/loose.ts';
import { families } from '../../matrix/families.ts';
import type { Answer } from '../../matrix/scenario.ts';
import { createChatDriver } from '../../matrix/upstreams/chat/chat-driver.ts';
import { openaiVendor } from '../../matrix/upstreams/chat/chat-vendors.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const ollama = {
  id: 'ollama',
  upstream: createChatDriver({ ...openaiVendor, functionsOnly: true }),
  config: (origin: string): JsonObject => ({
    provider: 'ollama',
    custom_host: `${origin}/v1`,
    override_params: { model: 'qwen3-coder' },
  }),
};
const functionsOnly = ['mistral-ai', 'groq', 'fireworks-ai', 'azure-ai'];
const providers = [...families.filter(({ id }) => functionsOnly.includes(id)), ollama];

const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-"a"\n+`ä👋\\n`\n*** End Patch';
const calls: Answer = {
  kind: 'answer',
  text: 'Let me change it.',
  calls: [
    { id: 'aaaaaaaa1', name: 'read_file', args: { path: 'a.ts' } },
    { id: 'aaaaaaaa2', name: 'apply_patch', args: { gw_input: patch } },
  ],
  finish: 'tool-calls',
  usage: { input: 20, output: 10 },
};
const done: Answer = { kind: 'answer', text: 'Done.', finish: 'stop', usage: { input: 30, output: 2 } };
const usersPatch = { name: 'apply_patch', description: 'Applies a patch.' };
const question = { role: 'user' as const, content: 'Change a.ts.' };

describe.each(providers)('custom tools at $id, which supports only functions', (provider) => {
  /** Answers with the calls, and then with a final text. */
  const serve = (): readonly JsonObject[] => {
    const bodies: JsonObject[] = [];
    world.upstream.handle((call) => {
      bodies.push(call.request.json() as JsonObject);
      try {
        const { stream } = provider.upstream.hear(call.request);
        provider.upstream.answer(call, bodies.length === 1 ? calls : done, stream);
      } catch (refused) {
        call.json({ error: { message: String(refused) } }, { status: 400 });
      }
    });
    return bodies;
  };

  const client = (more: JsonObject = {}): OpenAI =>
    new OpenAI({
      baseURL: world.gateway.baseUrl,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: {
        'x-gw-config': JSON.stringify({ api_key: 'k', ...provider.config(world.upstream.origin), ...more }),
      },
    });

  /** Checks what the provider received: its tools, the required tool, and the calls and results of the second request. */
  const expectSent = ([first = {}, second = {}]: readonly JsonObject[]): void => {
    expect(toObjects(first.tools).map(({ type, function: called }) => [type, findObject(called)?.name])).toEqual([
      ['function', 'read_file'],
      ['function', 'apply_patch'],
    ]);
    expect(findObject(toObjects(first.tools)[1]?.function)?.parameters).toMatchObject({ required: ['gw_input'] });
    expect(first.tool_choice).toEqual({ type: 'function', function: { name: 'apply_patch' } });
    const messages = toObjects(second.messages);
    const sent = messages.flatMap(({ tool_calls: list }) => toObjects(list));
    expect(sent.map(({ type, function: called }) => [type, findObject(called)])).toEqual([
      ['function', { name: 'read_file', arguments: '{"path":"a.ts"}' }],
      ['function', { name: 'apply_patch', arguments: JSON.stringify({ gw_input: patch }) }],
    ]);
    const results = messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(sent.map(({ id }) => id));
    expect(JSON.stringify(results.map(({ content }) => content))).toContain('patched');
  };

  const chatTools: OpenAI.Chat.Completions.ChatCompletionTool[] = [
    { type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: {} } } },
    { type: 'custom', custom: usersPatch },
  ];
  const chatParams = {
    model: 'm',
    tools: chatTools,
    tool_choice: { type: 'custom' as const, custom: { name: 'apply_patch' } },
  };

  const checks = { output_guardrails: [{ 'default.contains': { words: ['never'], operator: 'none' }, deny: true }] };

  it.each([
    { stream: false, more: {} },
    { stream: true, more: {} },
    { stream: false, more: checks },
    { stream: true, more: checks },
  ])('work for a client of chat completions, stream: $stream, with $more', async ({ stream, more }) => {
    const bodies = serve();
    const { completions } = client(more).chat;
    const ask = (messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[]) =>
      stream
        ? completions.stream({ ...chatParams, messages }).finalChatCompletion()
        : completions.create({ ...chatParams, messages });
    const first = (await ask([question])).choices[0];
    expect(first?.finish_reason).toBe('tool_calls');
    const message = first?.message ?? expect.unreachable();
    expect(message.content).toBe('Let me change it.');
    expect(message.tool_calls?.map((call) => (call.type === 'custom' ? call.custom : call.function))).toMatchObject([
      { name: 'read_file', arguments: '{"path":"a.ts"}' },
      { name: 'apply_patch', input: patch },
    ]);
    const second = await ask([
      question,
      message,
      ...(message.tool_calls ?? []).map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'patched' })),
    ]);
    expect(second.choices[0]?.message.content).toBe('Done.');
    expectSent(bodies);
  });

  it.each([false, true])('work for a client of responses, such as Codex, stream: %s', async (stream) => {
    const bodies = serve();
    const { responses } = client();
    const format = { type: 'grammar' as const, syntax: 'lark' as const, definition: 'start: /.+/s' };
    const params = {
      model: 'm',
      store: false,
      tools: [
        {
          type: 'function' as const,
          name: 'read_file',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
        { type: 'custom' as const, ...usersPatch, format },
      ],
      tool_choice: { type: 'custom' as const, name: 'apply_patch' },
    };
    const ask = async (input: OpenAI.Responses.ResponseInput): Promise<OpenAI.Responses.Response> =>
      stream ? responses.stream({ ...params, input }).finalResponse() : responses.create({ ...params, input });
    const first = await ask([question]);
    const called = first.output.filter((item) => item.type === 'function_call' || item.type === 'custom_tool_call');
    expect(called).toMatchObject([
      { type: 'function_call', name: 'read_file', arguments: '{"path":"a.ts"}' },
      { type: 'custom_tool_call', name: 'apply_patch', input: patch },
    ]);
    const second = await ask([
      question,
      ...first.output.filter((item) => item.type !== 'reasoning'),
      ...called.map(({ type, call_id }) =>
        type === 'function_call'
          ? { type: 'function_call_output' as const, call_id, output: 'patched' }
          : { type: 'custom_tool_call_output' as const, call_id, output: 'patched' },
      ),
    ] as OpenAI.Responses.ResponseInput);
    expect(second.output_text).toBe('Done.');
    expectSent(bodies);
  });

  it('lose only their format, which is reported to the client', async () => {
    serve();
    const custom = {
      ...usersPatch,
      format: { type: 'grammar' as const, grammar: { syntax: 'lark' as const, definition: 'x' } },
    };
    const { response } = await client()
      .chat.completions.create({ model: 'm', messages: [question], tools: [{ type: 'custom', custom }] })
      .withResponse();
    expect(response.headers.get('x-gw-dropped-params')).toBe('tools[0].format');
  });
});

it('forwards custom tools to OpenAI unchanged, and returns its answers unchanged', async () => {
  const said = {
    id: 'a',
    choices: [{ index: 0, message: { role: 'assistant', tool_calls: [{ id: 'c', custom: {} }] } }],
  };
  let heard: unknown;
  world.upstream.handle((call) => {
    heard = call.request.body.toString();
    call.json(said);
  });
  const body = JSON.stringify({ model: 'm', messages: [question], tools: [{ type: 'custom', custom: usersPatch }] });
  const config = { provider: 'openai', api_key: 'k', custom_host: `${world.upstream.origin}/v1` };
  const answer = await fetch(`${world.gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body,
  });
  expect(await answer.text()).toBe(JSON.stringify(said));
  expect(heard).toBe(body);
});
