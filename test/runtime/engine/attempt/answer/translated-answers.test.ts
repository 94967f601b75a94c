import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { defaultAnswerBounds } from '../../../../../runtime/engine/call/answer-bounds.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const anthropic = { provider: 'anthropic', api_key: '${env:KEY}' };
const question = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
const message = {
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'oui' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
};
const answers = async (config: JsonObject, overrides: Exchange['overrides'] = {}) => {
  const { handle } = runConfig({ ...anthropic, ...config }, { upstream: () => stubAnswer(message) });
  return toJson(await handle(sampleExchange(question, { overrides })));
};

describe('a translated answer', () => {
  it("gets an id from the trace and the gateway's time if its provider sends neither", async () => {
    expect(await answers({})).toMatchObject({ id: 'gw-trace', created: Date.UTC(2026, 0, 1) / 1000 });
  });

  it('contains more than its dialect allows only if the target or the caller is not strict', async () => {
    const loose = { choices: [{ message: { content_blocks: [{ type: 'text', text: 'oui' }] } }] };
    expect(await answers({ strict_llmv_compliance: false })).toMatchObject(loose);
    expect(await answers({}, { strict: false })).toMatchObject(loose);
    expect(await answers({ strict_llmv_compliance: false }, { strict: true })).toMatchObject(loose);
    expect(await answers({})).not.toMatchObject(loose);
    expect(await answers({}, { strict: true })).not.toMatchObject(loose);
  });

  it('reports the usage of a stream only if the client requested it', async () => {
    const events = [
      {
        type: 'message_start',
        message: { ...message, id: 'a', content: [], usage: { input_tokens: 3, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'oui' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    const wire = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Id', '1'];
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer(wire, { headers }) });
    const stream = async (more: JsonObject) => {
      const params = { ...question, stream: true, ...more };
      const response = await handle(sampleExchange(params));
      expect(response.headers).toEqual(['X-Id', '1', 'content-type', 'text/event-stream']);
      expect(response).toMatchObject({ origin: 'upstream', leaf: { provider: 'anthropic' } });
      return (await receiveBody(response.body)).bytes.toString();
    };
    expect(await stream({ stream_options: { include_usage: true } })).toContain('"prompt_tokens":3');
    expect(await stream({})).not.toContain('"prompt_tokens":3');
  });

  it.each([
    ['groq', 'messages', { choices: [{ message: { tool_calls: [{ id: 'a', function: { arguments: '{"x":1}' } }] } }] }],
    ['anthropic', 'chat', { ...message, content: [{ type: 'tool_use', id: 'a', input: {} }] }],
    ['cohere', 'chat', { message: { tool_calls: [{ id: 'a', function: { name: '', arguments: '{}' } }] } }],
    ['google', 'chat', { candidates: [{ content: { parts: [{ functionCall: { args: { x: 1 } } }] } }] }],
  ])('of %s is a 502 if a tool call has no name, because no client could run it', async (provider, dialect, answer) => {
    const { handle } = runConfig({ provider, api_key: '${env:KEY}' }, { upstream: () => stubAnswer(answer) });
    const response = await handle(sampleExchange(question, { route: { operation: 'converse', dialect } }));
    expect(response).toMatchObject({ status: 502, cause: 'unreadable-answer', origin: 'network' });
    expect(JSON.stringify(toJson(response))).toContain('a tool call has no name.');
  });

  it('leaves out a tool call of a chat without a name and without arguments, as streams do', async () => {
    const calls = [
      { id: 'a', function: {} },
      { id: 'b', function: { name: 'f', arguments: '{}' } },
    ];
    const answer = { choices: [{ message: { tool_calls: calls }, finish_reason: 'tool_calls' }] };
    const { handle } = runConfig({ provider: 'groq', api_key: '${env:KEY}' }, { upstream: () => stubAnswer(answer) });
    const route = { operation: 'converse', dialect: 'messages' } as const;
    expect(toJson(await handle(sampleExchange(question, { route })))).toMatchObject({
      content: [{ type: 'tool_use', id: 'b', name: 'f', input: {} }],
      stop_reason: 'tool_use',
    });
  });

  it('may be 32 MiB long, and its stream silent for two minutes, by default', () => {
    expect(defaultAnswerBounds).toEqual({ answerBytes: 33_554_432, idleMs: 120_000 });
  });
});
