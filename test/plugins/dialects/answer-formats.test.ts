import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { chatCodec, geminiCodec, here, messagesCodec, responsesCodec } from './support/codecs.ts';

const properties = { city: { type: 'string' } };
const schema = { type: 'object', properties, required: ['city'], additionalProperties: false };
const format: JsonObject = { type: 'json_schema', schema };
const other: JsonObject = { type: 'json_schema', schema: { type: 'object' } };
const ask = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Where?' }] };
const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

const sent = (codec: typeof chatCodec, members: JsonObject): JsonObject =>
  codec.encodeRequest(messagesCodec.decodeRequest({ ...ask, ...members }, here), target).body;

const spellings: readonly (readonly [string, JsonObject])[] = [
  ['output_config.format', { output_config: { format } }],
  ['output_format', { output_format: format }],
  ['output_config.format, which overrides output_format', { output_config: { format }, output_format: other }],
];

describe.each(spellings)('an answer schema from an Anthropic client, in %s', (_, members) => {
  it.each<[string, typeof chatCodec, JsonObject]>([
    ['chat', chatCodec, { response_format: { type: 'json_schema', json_schema: { schema } } }],
    ['gemini', geminiCodec, { generationConfig: { responseJsonSchema: schema } }],
    ['responses', responsesCodec, { text: { format: { type: 'json_schema', schema } } }],
    ['messages', messagesCodec, { output_config: { format } }],
  ])('is sent to %s', (_dialect, codec, expected) => {
    const body = sent(codec, members);
    expect(body).toMatchObject(expected);
    expect(body).not.toHaveProperty('output_format');
  });
});
