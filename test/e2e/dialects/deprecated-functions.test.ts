import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { families } from '../../matrix/families.ts';
import type { Answer, Call, Heard } from '../../matrix/scenario.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const translated = families.filter(({ clients, upstream }) => clients === undefined && upstream.dialect !== 'chat');

const weather: Call = { id: 'aaaaaaaa1', name: 'weather', args: { city: 'Bern' } };
const time: Call = { id: 'aaaaaaaa2', name: 'time', args: { zone: 'CET' } };
const calling = (calls: readonly Call[]): Answer => ({
  kind: 'answer',
  text: 'Let me look.',
  calls,
  finish: 'tool-calls',
  usage: { input: 20, output: 10 },
});
const done: Answer = { kind: 'answer', text: 'Sunny.', finish: 'stop', usage: { input: 30, output: 2 } };
const functions = ['weather', 'time'].map((name) => ({ name, parameters: { type: 'object', properties: {} } }));
const question = { role: 'user' as const, content: 'How is the weather?' };
const checks = { output_guardrails: [{ 'default.contains': { words: ['never'], operator: 'none' }, deny: true }] };

describe.each(translated)('deprecated functions of OpenAI at $id', ({ config, upstream }) => {
  /** Answers with the calls, and then with a final text. Returns what it has received. */
  const serve = (calls: readonly Call[]): readonly Heard[] => {
    const heard: Heard[] = [];
    world.upstream.handle((call) => {
      const one = upstream.hear(call.request);
      heard.push(one);
      upstream.answer(call, heard.length === 1 ? calling(calls) : done, one.stream);
    });
    return heard;
  };

  const clientOf = (more: JsonObject) =>
    new OpenAI({
      baseURL: world.gateway.baseUrl,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: { 'x-gw-config': JSON.stringify({ ...config(world.upstream.origin), ...more }) },
    }).chat.completions;

  it.each([
    { stream: false, more: {} },
    { stream: true, more: {} },
    { stream: false, more: checks },
    { stream: true, more: checks },
  ])('are called, and receive results, stream: $stream, with $more', async ({ stream, more }) => {
    const heard = serve([weather]);
    const completions = clientOf(more);
    const ask = (messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[]) => {
      const params = { model: 'm', messages, functions };
      return stream ? completions.stream(params).finalChatCompletion() : completions.create(params);
    };
    const { message, finish_reason } = (await ask([question])).choices[0] ?? expect.unreachable();
    expect(finish_reason).toBe('function_call');
    expect(message.function_call).toMatchObject({ name: 'weather', arguments: '{"city":"Bern"}' });
    expect(message.tool_calls ?? []).toEqual([]);
    expect(message.content).toBe('Let me look.');
    const { function_call } = message;
    const second = await ask([
      question,
      { role: 'assistant', content: message.content, function_call: function_call ?? expect.unreachable() },
      { role: 'function', name: 'weather', content: 'sunny' },
    ]);
    expect(second.choices[0]?.message.content).toBe('Sunny.');
    expect(heard[1]).toMatchObject({
      calls: [{ name: 'weather', args: { city: 'Bern' } }],
      results: [{ text: 'sunny' }],
    });
  });

  it('lose no call if the model makes several', async () => {
    serve([weather, time]);
    const { choices } = await clientOf({}).create({ model: 'm', messages: [question], functions });
    const { message } = choices[0] ?? expect.unreachable();
    expect(message.function_call).toMatchObject({ name: 'weather', arguments: '{"city":"Bern"}' });
    expect(message.tool_calls).toMatchObject([{ function: { name: 'time', arguments: '{"zone":"CET"}' } }]);
  });

  it('lose no call of a stream if the model makes several', async () => {
    serve([weather, time]);
    const deltas: OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta[] = [];
    const stream = await clientOf({}).create({ model: 'm', messages: [question], functions, stream: true });
    for await (const { choices } of stream) deltas.push(...choices.map(({ delta }) => delta));
    const calls = deltas.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(deltas.map(({ function_call }) => function_call?.arguments ?? '').join('')).toBe('{"city":"Bern"}');
    expect(new Set(calls.map(({ index }) => index))).toEqual(new Set([0]));
    expect(calls.map((call) => call.function?.arguments ?? '').join('')).toBe('{"zone":"CET"}');
  });
});
