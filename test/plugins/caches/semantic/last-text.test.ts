import { describe, expect, it } from 'vitest';
import { lastText } from '../../../../plugins/caches/semantic/last-text.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const asked = 'Why is the sky blue?';
const system = { role: 'system', content: 'Be brief.' };
const text = { type: 'text', text: asked };
const image = { type: 'image_url', image_url: { url: 'https://a/b.png' } };

/** Request bodies of each dialect, with their number of messages. */
const bodies: readonly (readonly [string, JsonObject, number])[] = [
  ['chat', { model: 'm', messages: [system, { role: 'user', content: asked }] }, 2],
  ['chat', { messages: [{ role: 'user', content: [image, text] }] }, 1],
  ['cohere', { messages: [{ role: 'user', content: [text] }] }, 1],
  ['completions', { model: 'm', prompt: asked }, 1],
  ['converse', { system: [{ text: 'Be brief.' }], messages: [{ role: 'user', content: [{ text: asked }] }] }, 1],
  ['gemini', { contents: [{ parts: [{ text: asked }] }] }, 1],
  ['gemini', { contents: [{ role: 'user', parts: [{ text: asked }] }] }, 1],
  ['messages', { system: 'Be brief.', messages: [{ role: 'user', content: [text] }] }, 1],
  ['responses', { input: asked }, 1],
  ['responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: asked }] }] }, 1],
];

describe('the text of the last message', () => {
  it.each(bodies)('is found and replaced in a body of %s: %j', (dialect, body, messages) => {
    const found = lastText(body, dialect);
    expect([found?.text, found?.messages]).toEqual([asked, messages]);
    expect(found?.with('Other.')).toEqual(JSON.parse(JSON.stringify(body).replace(asked, 'Other.')));
  });

  it.each<[string, string, JsonObject]>([
    ['is the model', 'chat', { messages: [{ role: 'assistant', content: asked }] }],
    ['is the model of Gemini', 'gemini', { contents: [{ role: 'model', parts: [{ text: asked }] }] }],
    ['is a tool', 'chat', { messages: [{ role: 'tool', tool_call_id: 'c', content: asked }] }],
    [
      'is the result of a call',
      'responses',
      { input: [{ type: 'function_call_output', call_id: 'c', output: asked }] },
    ],
    ['says two texts', 'chat', { messages: [{ role: 'user', content: [text, text] }] }],
    ['shows only an image', 'chat', { messages: [{ role: 'user', content: [image] }] }],
    ['brings the result of a tool', 'messages', { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }],
    ['is not there', 'chat', { messages: [] }],
    ['is one of several prompts', 'completions', { prompt: [asked, asked] }],
    ['is of a dialect that is not known', 'tongue', { messages: [{ role: 'user', content: asked }] }],
  ])('is undefined if the last speaker %s', (_, dialect, body) => {
    expect(lastText(body, dialect)).toBeUndefined();
  });
});
