import { describe, expect, it } from 'vitest';
import { claudeSchema } from '../../../../../plugins/dialects/shared/claude/claude-schema.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { converseCodec, geminiCodec, messagesCodec, requestVia } from '../../support/codecs.ts';

const asked: JsonObject = {
  type: 'object',
  properties: {
    age: { type: 'integer', minimum: 0, description: 'In years.' },
    tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } } },
  },
  required: ['age'],
};
const sent: JsonObject = {
  type: 'object',
  properties: {
    age: { type: 'integer', description: 'In years.\n\n{"minimum":0}' },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string', description: '{"pattern":"^a"}' } },
        additionalProperties: false,
      },
    },
  },
  required: ['age'],
  additionalProperties: false,
};

const request = {
  contents: [{ role: 'user', parts: [{ text: 'Who?' }] }],
  generationConfig: { maxOutputTokens: 9, responseMimeType: 'application/json', responseJsonSchema: asked },
};

describe('a schema for a Claude model', () => {
  it('has only keywords that the API accepts, from a Gemini client', () => {
    const { body, lost } = requestVia(geminiCodec, messagesCodec, request);
    expect(body.output_config).toEqual({ format: { type: 'json_schema', schema: sent } });
    expect(lost).toContain('answerFormat.schema');
    const { body: asConverse } = requestVia(geminiCodec, converseCodec, request);
    const text = JSON.stringify(sent);
    expect(asConverse.outputConfig).toEqual({
      textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: text } } },
    });
  });

  it('is unchanged if the API accepts it', () => {
    expect(claudeSchema(sent)).toEqual(sent);
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: false },
    ],
    [
      { oneOf: [{ type: 'string', format: 'color' }, { const: 1 }] },
      {
        anyOf: [{ type: 'string', description: '{"format":"color"}' }, { const: 1 }],
      },
    ],
    [
      { $schema: 'x', $ref: '#/$defs/a', $defs: { a: { type: ['object', 'null'], properties: {} } } },
      { $ref: '#/$defs/a', $defs: { a: { type: ['object', 'null'], properties: {}, additionalProperties: false } } },
    ],
    [
      { type: 'array', minItems: 1, maxItems: 3, items: { enum: ['a', null], default: 'a' } },
      {
        type: 'array',
        minItems: 1,
        items: { enum: ['a', null], description: '{"default":"a"}' },
        description: '{"maxItems":3}',
      },
    ],
  ])('is adapted from %j', (schema, expected) => {
    expect(claudeSchema(schema)).toEqual(expected);
  });

  it('is adapted for a strict tool, but not for other tools', () => {
    const tool = (strict: boolean) => {
      const tools = [{ name: 'f', input_schema: { type: 'object', maxProperties: 3 }, strict }];
      const messages = [{ role: 'user', content: 'Hi' }];
      return requestVia(messagesCodec, messagesCodec, { model: 'm', max_tokens: 9, messages, tools });
    };
    const strict = tool(true);
    const schema = { type: 'object', additionalProperties: false, description: '{"maxProperties":3}' };
    expect([strict.body.tools, strict.lost]).toEqual([
      [{ name: 'f', input_schema: schema, strict: true }],
      ['tools[0].parameters'],
    ]);
    expect(tool(false)).toMatchObject({
      body: { tools: [{ name: 'f', input_schema: { type: 'object', maxProperties: 3 } }] },
      lost: [],
    });
  });
});
