import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { cohereCodec, converseCodec, messagesCodec, streamVia } from '../support/codecs.ts';

const cited = { type: 'web_search_result_location', url: 'https://a.example', title: 'A', cited_text: 'c' };

const events: readonly JsonObject[] = [
  {
    type: 'message_start',
    message: { id: 'm', model: 'c', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } },
  { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: cited } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sunny.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
];

const stream = events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');

describe('a citation from Claude that arrives before its text', () => {
  it.each<[string, ConversationCodec, string]>([
    ['cohere', cohereCodec, 'event: citation-start'],
    ['converse', converseCodec, '"citation":{'],
  ])('reaches a %s client after the start of the text', (_id, to, mark) => {
    const said = streamVia(messagesCodec, to, stream);
    expect(said.indexOf(mark)).toBeGreaterThan(said.indexOf('Sunny.'));
    expect(said).toContain('https://a.example');
  });
});
