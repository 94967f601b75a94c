import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { chatCodec, messagesCodec, requestVia } from '../support/codecs.ts';

const chat = (members: JsonObject): JsonObject => ({
  model: 'claude-opus-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  ...members,
});

describe("Anthropic's own tools in the body of a chat request", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'web search in a member named "web_search"',
      {
        type: 'web_search',
        web_search: { name: 'web_search_20250305', max_uses: 3, allowed_domains: ['a.example'] },
        cache_control: { type: 'ephemeral' },
      },
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 3,
        allowed_domains: ['a.example'],
        cache_control: { type: 'ephemeral' },
      },
    ],
    [
      'computer use in a member named "computer"',
      { type: 'computer', computer: { name: 'computer_20250124', display_width_px: 1024, display_height_px: 768 } },
      { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
    ],
    [
      'web search as in a messages request',
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ],
  ])('become tools of a messages request: %s', (_, tool, expected) => {
    const { body, lost } = requestVia(chatCodec, messagesCodec, chat({ tools: [tool] }));
    expect(body.tools).toEqual([expected]);
    expect(lost).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['from another vendor', { type: 'web_search_preview' }],
    ['without a version', { type: 'web_search', web_search: { name: 'web_search', max_uses: 3 } }],
    ['without a name', { type: 'web_search_20250305' }],
  ])('are lost if they are %s', (_, tool) => {
    const { body, lost } = requestVia(chatCodec, messagesCodec, chat({ tools: [tool] }));
    expect(body.tools).toBeUndefined();
    expect(lost).toEqual(['tools[0]']);
  });
});
