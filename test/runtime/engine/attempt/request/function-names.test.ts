import { describe, expect, it } from 'vitest';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type RunningConfig, runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const long = 'mcp__4e9e25f1-b480-40f3-ba8d-a792f8f6ff07__update_project_deployment_protection';
const alike = `${long}s`;
const tool = (name: string): JsonObject => ({ name, input_schema: { type: 'object' } });
const called = (id: string, name: string): JsonObject => ({ type: 'tool_use', id, name, input: { name } });

const question: JsonObject = {
  model: 'm',
  max_tokens: 9,
  tools: [tool(long), tool(alike), tool('read')],
  tool_choice: { type: 'tool', name: long },
  messages: [
    { role: 'user', content: 'Protect it.' },
    { role: 'assistant', content: [called('a', long), called('b', 'read')] },
    {
      role: 'user',
      content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'Done.' })),
    },
  ],
};

const run = (provider: string, upstream: StubHandler): RunningConfig =>
  runConfig({ provider, api_key: '${env:KEY}' }, { upstream });

const ask = (running: RunningConfig, body: JsonObject, dialect = 'messages', model?: string) =>
  running.handle(
    sampleExchange(body, {
      route: { operation: 'converse', dialect, ...(model === undefined ? {} : { model, stream: false }) },
    }),
  );

const sentBody = ({ upstreams }: RunningConfig): string => {
  const body = upstreams.requests[0]?.body;
  return body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '';
};

/** Returns every name in a body, in order. */
const namesIn = (body: string): readonly string[] =>
  [...body.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name ?? '');

const chatCall = (name: string): JsonObject => ({
  index: 0,
  id: 'c',
  type: 'function',
  function: { name, arguments: '{"name":"x"}' },
});

describe('a function name that is not allowed in another format', () => {
  it('is shortened consistently and uniquely, and restored in the answer', async () => {
    const running = run('openai', ({ body }) => {
      const [name = ''] = namesIn(body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '').filter((each) =>
        each.startsWith('mcp'),
      );
      const message = { role: 'assistant', content: null, tool_calls: [chatCall(name)] };
      return stubAnswer({ id: 'i', model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
    });
    const answer = (await toJson(await ask(running, question))) as JsonObject;
    const body = JSON.parse(sentBody(running));
    const [first, second, third] = body.tools.map(({ function: { name } }: { function: { name: string } }) => name);
    expect([first.length, second.length, third]).toEqual([64, 64, 'read']);
    expect(first).not.toBe(second);
    expect(first).toMatch(/^mcp__4e9e25f1-b480-40f3-ba8d-a792f8f6ff07__[\w-]+$/);
    expect(body.tool_choice.function.name).toBe(first);
    expect(body.messages[1].tool_calls[0].function).toEqual({ name: first, arguments: JSON.stringify({ name: long }) });
    expect(answer.content).toEqual([{ type: 'tool_use', id: 'c', name: long, input: { name: 'x' } }]);
  });

  it('is restored in a stream', async () => {
    const running = run('openai', ({ body }) => {
      const name = namesIn(body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '')[0] ?? '';
      const chunks = [
        { delta: { role: 'assistant', tool_calls: [chatCall(name)] }, finish_reason: null },
        { delta: {}, finish_reason: 'tool_calls' },
      ].map((choice) => JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, ...choice }] }));
      const wire = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
      return stubAnswer(wire, { headers: ['content-type', 'text/event-stream'] });
    });
    const response = await ask(running, { ...question, tool_choice: { type: 'auto' }, stream: true });
    const text = (await receiveBody(response.body)).bytes.toString();
    expect(namesIn(text)).toEqual([long]);
  });

  it.each([
    ['openai', 'm', /^fs_read_[0-9a-f]{8}$/],
    ['google', 'gemini-3-pro', /^fs.read$/],
  ])('is rewritten for %s in the characters that it accepts', async (provider, model, written) => {
    const running = run(provider, () => stubAnswer({}));
    await ask(running, {
      ...question,
      model,
      tools: [tool('fs.read'), tool('1st')],
      tool_choice: { type: 'auto' },
      messages: [],
    });
    const [dotted, digit] = namesIn(sentBody(running));
    expect(dotted).toMatch(written);
    expect(digit).toMatch(provider === 'google' ? /^_1st_[0-9a-f]{8}$/ : /^1st$/);
  });

  it('is sent unchanged within one dialect', async () => {
    const running = run('anthropic', () => stubAnswer({}));
    await ask(running, { ...question, tools: [tool('fs.read')], tool_choice: { type: 'auto' }, messages: [] });
    expect(namesIn(sentBody(running))).toEqual(['fs.read']);
  });
});
