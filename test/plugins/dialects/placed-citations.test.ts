import OpenAI from 'openai';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  messagesCodec,
  responsesCodec,
  streamVia,
} from './support/codecs.ts';

const toStream = (frames: readonly object[]): string =>
  frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');

const url = 'https://a.example';

const chunk = (delta: JsonObject, finish: string | null = null): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const annotation = { type: 'url_citation', url_citation: { url, title: 'A', start_index: 0, end_index: 6 } };

it('sends a chat citation that arrives before any text to clients of other formats', () => {
  const stream = toStream([chunk({ annotations: [annotation] }), chunk({ content: 'Sunny.' }), chunk({}, 'stop')]);
  for (const codec of [messagesCodec, geminiCodec, responsesCodec, chatCodec])
    expect(streamVia(chatCodec, codec, stream).split(url).length).toBeGreaterThan(1);
});

it('keeps a chat citation without any text for chat clients', () => {
  const stream = toStream([chunk({ annotations: [annotation] }), chunk({}, 'stop')]);
  expect(streamVia(chatCodec, chatCodec, stream)).toContain(`"delta":{"annotations":[${JSON.stringify(annotation)}]}`);
});

const candidate = (parts: readonly JsonObject[], more: JsonObject = {}): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
  ...{ modelVersion: 'm', responseId: 'r' },
});

it('attaches a Gemini source that arrives after a call to the text before the call', async () => {
  const stream = toStream([
    candidate([{ text: 'Sunny.' }]),
    candidate([{ functionCall: { id: 'c1', name: 'f', args: {} } }]),
    candidate([{ text: '' }], {
      finishReason: 'STOP',
      groundingMetadata: { groundingChunks: [{ web: { uri: url, title: 'A' } }] },
    }),
  ]);
  const text = streamVia(geminiCodec, responsesCodec, stream);
  const fetch = async (): Promise<Response> => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const client = new OpenAI({ apiKey: 'k', fetch, maxRetries: 0 });
  const { output } = await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
  expect(output.map(({ type }) => type)).toEqual(['message', 'function_call']);
  expect(output[0]).toMatchObject({
    content: [{ text: 'Sunny.', annotations: [{ url, start_index: 0, end_index: 6 }] }],
  });
  expect(text).toMatch(/"type":"response\.output_text\.annotation\.added"[^\n]*"output_index":0/);
});

it('sends a Gemini source that arrives after the finish reason to clients of every format', async () => {
  const stream = toStream([
    candidate([{ text: 'Sunny.' }], { finishReason: 'STOP' }),
    candidate([], { groundingMetadata: { groundingChunks: [{ web: { uri: url, title: 'A' } }] } }),
  ]);
  for (const codec of [messagesCodec, geminiCodec, responsesCodec, cohereCodec, converseCodec])
    expect(streamVia(geminiCodec, codec, stream)).toContain(url);
  const text = streamVia(geminiCodec, chatCodec, stream);
  const fetch = async (): Promise<Response> => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const client = new OpenAI({ apiKey: 'k', fetch, maxRetries: 0 });
  const { choices } = await client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion();
  expect(choices).toMatchObject([
    {
      finish_reason: 'stop',
      message: { content: 'Sunny.', annotations: [{ url_citation: { url, start_index: 0, end_index: 6 } }] },
    },
  ]);
});

it('counts the bytes before a cited text correctly if a character arrives in two halves', () => {
  const stream = toStream([
    { type: 'response.created', response: { id: 'r', model: 'm', created_at: 1 } },
    ...['\ud83d', '\udc4b '].map((delta) => ({
      ...{ type: 'response.output_text.delta', item_id: 'a', output_index: 0, content_index: 0, delta },
    })),
    { type: 'response.output_text.delta', item_id: 'b', output_index: 1, content_index: 0, delta: 'Sunny.' },
    {
      ...{ type: 'response.output_text.annotation.added', item_id: 'b', output_index: 1, content_index: 0 },
      annotation: { type: 'url_citation', url, title: 'A', start_index: 0, end_index: 6 },
    },
    { type: 'response.completed', response: { id: 'r', model: 'm', status: 'completed', output: [] } },
  ]);
  expect(streamVia(responsesCodec, geminiCodec, stream)).toContain('"startIndex":5,"endIndex":11,"text":"Sunny."');
});
