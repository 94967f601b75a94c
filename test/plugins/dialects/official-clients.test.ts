import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { roundTripAnswer, toAnswer } from './support/both-ways.ts';
import { answerVia, chatCodec, messagesCodec, responsesCodec, streamVia } from './support/codecs.ts';
import { fixture } from './support/fixture.ts';
import { toFrames } from './support/frames.ts';

/** Returns a fetch function that always responds with this body. */
const gives =
  (body: string, { type = 'application/json', status = 200 } = {}): typeof fetch =>
  async () =>
    new Response(body, { status, headers: { 'content-type': type } });

const streams = (text: string): typeof fetch => gives(text, { type: 'text/event-stream' });
const openai = (fetch: typeof globalThis.fetch): OpenAI => new OpenAI({ apiKey: 'k', fetch, maxRetries: 0 });
const anthropic = (fetch: typeof globalThis.fetch): Anthropic => new Anthropic({ apiKey: 'k', fetch, maxRetries: 0 });

/** Adds the counts with which a messages stream starts. The gateway estimates them if its provider has reported none yet. */
const counted = (text: string): string =>
  text.replace('"content":[],', '"content":[],"usage":{"input_tokens":1,"output_tokens":0},');

const chatRequest = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
const messagesRequest = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };

const toolAnswer: JsonObject = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content: [
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 10, output_tokens: 5 },
};

const query: Part = { kind: 'tool-call', id: 'c', name: 'sql', arguments: 'select "1"', input: 'text' };
const citing: Part = {
  kind: 'text',
  text: 'Sunny.',
  citations: [{ url: 'https://a.example', title: 'A' }],
  logprobs: [{ token: 'Sunny.', logprob: -1 }],
};

describe('the OpenAI client for chat completions', () => {
  it('reads an answer from a messages provider', async () => {
    const body = JSON.stringify(answerVia(messagesCodec, chatCodec, toolAnswer));
    const answer = await openai(gives(body)).chat.completions.create(chatRequest);
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([
      { id: 'toolu_1', function: { arguments: '{"a":1}' } },
    ]);
    expect(answer.usage?.total_tokens).toBe(15);
  });

  it('reads a stream from a messages provider', async () => {
    const text = streamVia(messagesCodec, chatCodec, fixture('messages-thinking-and-tools.sse'));
    const answer = await openai(streams(text)).chat.completions.stream(chatRequest).finalChatCompletion();
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Checking both.',
        tool_calls: [
          { id: 'toolu_1', function: { name: 'get_weather', arguments: '{"city": "Lyon"}' } },
          { id: 'toolu_2', function: { name: 'get_time', arguments: '{}' } },
        ],
      },
    });
    expect(answer.usage).toMatchObject({ prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 50 } });
  });

  it('reads a stream with citations, log probabilities and a signature on a call', async () => {
    const thought: Part = { kind: 'reasoning', text: '', bound: { scope: 's', kind: 'thought', value: 'sig' } };
    const call: Part = { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' };
    const { stream } = roundTripAnswer(chatCodec, toAnswer([citing, thought, call]));
    const [choice] = (await openai(streams(stream)).chat.completions.stream(chatRequest).finalChatCompletion()).choices;
    expect(choice).toMatchObject({
      logprobs: { content: [{ token: 'Sunny.', logprob: -1 }] },
      message: {
        content: 'Sunny.',
        annotations: [{ url_citation: { url: 'https://a.example', start_index: 0, end_index: 6 } }],
        tool_calls: [{ id: 'c', extra_content: { google: { thought_signature: 'gw1.s.sig' } } }],
      },
    });
  });

  it('reads the call of a custom tool, whole and streamed', async () => {
    const { wire, stream } = roundTripAnswer(chatCodec, toAnswer([query]));
    const answer = await openai(gives(JSON.stringify(wire))).chat.completions.create(chatRequest);
    expect(answer.choices[0]?.message.tool_calls).toEqual([
      { id: 'c', type: 'custom', custom: { name: 'sql', input: 'select "1"' } },
    ]);
    const chunks = await openai(streams(stream)).chat.completions.create({ ...chatRequest, stream: true });
    let input = '';
    for await (const { choices } of chunks) input += choices[0]?.delta.tool_calls?.[0]?.custom?.input ?? '';
    expect(input).toBe('select "1"');
  });

  it('throws if a stream breaks off', async () => {
    const text = streamVia(messagesCodec, chatCodec, fixture('messages-overloaded.sse'));
    await expect(openai(streams(text)).chat.completions.stream(chatRequest).finalChatCompletion()).rejects.toThrow(
      'Overloaded',
    );
  });

  it('throws its own error type for a gateway error', async () => {
    const report = errorReport('missing-credential', { provider: 'openai' });
    const body = JSON.stringify(chat.encodeError(report));
    const call = openai(gives(body, { status: report.status })).chat.completions.create(chatRequest);
    await expect(call).rejects.toMatchObject({ name: 'Error', status: 401, code: 'missing-credential' });
    await expect(call).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

describe('the OpenAI client for responses', () => {
  const request = { model: 'm', input: 'Hi' };

  it('reads an answer from a messages provider', async () => {
    const body = JSON.stringify(answerVia(messagesCodec, responsesCodec, toolAnswer));
    const answer = await openai(gives(body)).responses.create(request);
    expect(answer.output_text).toBe('Looking.');
    expect(answer.output[1]).toMatchObject({ type: 'function_call', call_id: 'toolu_1', arguments: '{"a":1}' });
    expect(answer.usage?.total_tokens).toBe(15);
  });

  it.each([
    ['messages', messagesCodec, 'messages-thinking-and-tools.sse'],
    ['chat', chatCodec, 'chat-tool-calls.sse'],
    ['responses', responsesCodec, 'responses-reasoning-and-tools.sse'],
    ['responses with a search', responsesCodec, 'responses-web-search.sse'],
  ])('follows a stream from a provider of %s to its end', async (_id, codec, name) => {
    const text = streamVia(codec, responsesCodec, fixture(name));
    const stream = openai(streams(text)).responses.stream(request);
    const kinds: string[] = [];
    stream.on('event', ({ type }) => kinds.push(type));
    const answer = await stream.finalResponse();
    expect(kinds[0]).toBe('response.created');
    const last = JSON.parse(toFrames(text).at(-1)?.data ?? '') as { response: { output: object[] } };
    expect(answer.output).toMatchObject(last.response.output);
    expect(answer.output.length).toBeGreaterThan(1);
  });

  it('throws if a stream breaks off', async () => {
    const text = streamVia(messagesCodec, responsesCodec, fixture('messages-overloaded.sse'));
    await expect(openai(streams(text)).responses.stream(request).finalResponse()).rejects.toThrow('Overloaded');
  });
});

describe('the Anthropic client', () => {
  it('reads an answer from a chat provider', async () => {
    const wire = answerVia(messagesCodec, chatCodec, toolAnswer);
    const answer = await anthropic(gives(JSON.stringify(answerVia(chatCodec, messagesCodec, wire)))).messages.create(
      messagesRequest,
    );
    expect(answer.content).toEqual(toolAnswer.content);
    expect(answer.stop_reason).toBe('tool_use');
  });

  it('reads a stream from a chat provider', async () => {
    const text = streamVia(chatCodec, messagesCodec, fixture('chat-tool-calls.sse'));
    const stream = anthropic(streams(counted(text))).messages.stream(messagesRequest);
    const blocks: unknown[] = [];
    stream.on('contentBlock', (block) => blocks.push(block));
    const answer = await stream.finalMessage();
    expect(answer).toMatchObject({
      id: 'chatcmpl-7',
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Let me look — ' },
        { type: 'tool_use', id: 'call_a', name: 'get_weather', input: { city: 'Lyon' } },
        { type: 'tool_use', id: 'call_b', name: 'get_time', input: {} },
      ],
      usage: { input_tokens: 16, output_tokens: 31, cache_read_input_tokens: 64 },
    });
    expect(blocks).toEqual(answer.content);
  });

  it('reads a stream with citations and the call of a custom tool', async () => {
    const { stream } = roundTripAnswer(messagesCodec, { ...toAnswer([citing, query]), usage: { input: 1, output: 1 } });
    const answer = await anthropic(streams(counted(stream)))
      .messages.stream(messagesRequest)
      .finalMessage();
    expect(answer.content).toMatchObject([
      { type: 'text', text: 'Sunny.', citations: [{ type: 'web_search_result_location', url: 'https://a.example' }] },
      { type: 'tool_use', id: 'c', name: 'sql', input: { gw_input: 'select "1"' } },
    ]);
  });

  it('throws if a stream breaks off', async () => {
    const text = streamVia(
      chatCodec,
      messagesCodec,
      fixture('chat-tool-calls.sse').replace(/data: \[DONE\]/, 'data: {"error":{"message":"Gone"}}'),
    );
    await expect(anthropic(streams(text)).messages.stream(messagesRequest).finalMessage()).rejects.toThrow('Gone');
  });

  it('throws its own error type for a gateway error', async () => {
    const report = errorReport('missing-credential', { provider: 'anthropic' });
    const body = JSON.stringify(messages.encodeError(report));
    const call = anthropic(gives(body, { status: report.status })).messages.create(messagesRequest);
    await expect(call).rejects.toMatchObject({ status: 401, type: 'authentication_error' });
    await expect(call).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });
});
