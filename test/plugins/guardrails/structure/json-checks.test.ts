import { describe, it } from 'vitest';
import { jsonKeys } from '../../../../plugins/guardrails/structure/json-keys.ts';
import { jsonSchema } from '../../../../plugins/guardrails/structure/json-schema.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$' },
    tags: { type: 'array', prefixItems: [{ type: 'number' }] },
  },
};

const choices = (...texts: readonly string[]) =>
  texts.map((text, choice) => ({ at: rootPointer, text, choice, kind: 'text' as const }));

describe('default.jsonSchema', () => {
  it('requires JSON that is valid by its schema, a JSON Schema of 2020-12', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema }, text: '{"name":"ada"}', verdict: 'pass' },
      { parameters: { schema }, text: 'Here: ```json\n{}\n``` or {"name":"ada","tags":[1,"x"]}', verdict: 'pass' },
      { parameters: { schema }, text: '{"name":"Ada"}', verdict: 'fail' },
      { parameters: { schema }, text: '{"name":"ada","tags":["x"]}', verdict: 'fail' },
      { parameters: { schema, not: true }, text: '{"name":"Ada"}', verdict: 'pass' },
      { parameters: { schema, not: true }, text: '{"name":"ada"}', verdict: 'fail' },
      { parameters: { schema: { type: 'array' } }, text: '[1]', verdict: 'pass' },
    ]));

  it('fails without JSON, even if inverted', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema }, text: 'Ada', verdict: 'fail' },
      { parameters: { schema, not: true }, text: 'Ada', verdict: 'fail' },
      { parameters: { schema }, spans: [], verdict: 'fail' },
    ]));

  it('requires JSON in every choice, and does not look for it in reasoning', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema }, spans: choices('{"name":"a"}', '{"name":"b"}'), verdict: 'pass' },
      { parameters: { schema }, spans: choices('{"name":"a"}', '{"name":1}'), verdict: 'fail' },
      { parameters: { schema }, spans: choices('{"name":"a"}', 'b'), verdict: 'fail' },
      {
        parameters: { schema },
        spans: [{ at: rootPointer, text: '{"name":"a"}', kind: 'reasoning' }],
        verdict: 'fail',
      },
    ]));

  it('can repair only JSON that should be valid', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema, repair: true }, text: '{"name":"ada"}', verdict: 'pass' },
      { parameters: { schema, repair: true }, text: '{"name":1}', verdict: 'fail' },
      { parameters: { schema, repair: true, not: true }, text: '{"name":1}', verdict: 'refused' },
    ]));

  it('reports what is wrong', () =>
    testGuardrail(jsonSchema, [
      {
        parameters: { schema },
        text: '{"name":1}',
        verdict: 'fail',
        data: { validationErrors: ['/name must be string.'] },
      },
    ]));

  it('rejects invalid schemas, and patterns that are not linear', () =>
    testGuardrail(jsonSchema, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { schema: 'object' }, verdict: 'refused' },
      { parameters: { schema: { type: 'objekt' } }, verdict: 'refused' },
      { parameters: { schema: { $ref: 'https://example.com/a.json' } }, verdict: 'refused' },
      { parameters: { schema: { type: 'string', pattern: '(?=a)b' } }, verdict: 'refused' },
      { parameters: { schema: { enum: ['x'.repeat(70_000)] } }, verdict: 'refused' },
      {
        parameters: { schema: { allOf: Array.from({ length: 30 }, (_, at) => ({ pattern: `\\pL{${900 + at}}` })) } },
        verdict: 'refused',
      },
    ]));

  it('keeps two schemas with the same $id apart', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema: { $id: 'https://a.test/s', type: 'object' } }, text: '{}', verdict: 'pass' },
      { parameters: { schema: { $id: 'https://a.test/s', type: 'array' } }, text: '{}', verdict: 'fail' },
    ]));

  it('judges a text on which a backtracking engine would never finish', () =>
    testGuardrail(jsonSchema, [
      {
        parameters: { schema: { type: 'string', pattern: '^(a+)+$' } },
        text: JSON.stringify(`${'a'.repeat(5000)}b`),
        verdict: 'fail',
      },
    ]));
});

describe('validation with a schema', () => {
  /** Builds a schema in which each definition refers to the next one twice. */
  const doubling = (depth: number): JsonObject => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: depth }, (_, at) => [
        `d${at}`,
        at === depth - 1
          ? { type: 'string' }
          : { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    ),
  });

  it('does a limited amount of work if references double it again and again', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema: doubling(40) }, text: '1', verdict: 'error' },
      { parameters: { schema: doubling(10) }, text: '1', verdict: 'fail' },
      { parameters: { schema: doubling(10) }, text: '"x"', verdict: 'pass' },
    ]));

  it('does a limited amount of work if a schema refers to itself twice', () => {
    const ref = { properties: { a: { $ref: '#' } }, required: ['a'] };
    return testGuardrail(jsonSchema, [
      {
        parameters: { schema: { anyOf: [{ type: 'null' }, ref, ref] } },
        text: `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
        verdict: 'error',
      },
    ]);
  });

  it('takes linear time for items that must be unique, which it compares as JSON', () => {
    const schema = { type: 'array', uniqueItems: true };
    const items = Array.from({ length: 60_000 }, (_, at) => [at]);
    return testGuardrail(jsonSchema, [
      { parameters: { schema }, text: JSON.stringify(items), verdict: 'pass' },
      { parameters: { schema }, text: '[{"a":1,"b":2},{"b":2,"a":1}]', verdict: 'fail' },
      { parameters: { schema }, text: '[1,"1",true,null]', verdict: 'pass' },
      { parameters: { schema: { uniqueItems: false } }, text: '[1,1]', verdict: 'pass' },
    ]);
  });

  it('ignores names and values that only look like references', () =>
    testGuardrail(jsonSchema, [
      { parameters: { schema: { const: { $ref: '#' } } }, text: '{"$ref":"#"}', verdict: 'pass' },
      {
        parameters: {
          schema: {
            properties: { $ref: { type: 'string' }, enum: { $ref: '#/$defs/n' } },
            $defs: { n: { type: 'number' } },
          },
        },
        text: '{"$ref":"x","enum":"y"}',
        verdict: 'fail',
      },
    ]));
});

describe('default.jsonKeys', () => {
  const keys = ['a', 'b'];

  it('requires any, all or none of its keys in an object', () =>
    testGuardrail(jsonKeys, [
      { parameters: { keys }, text: '{"a":1}', verdict: 'pass' },
      { parameters: { keys, operator: 'any' }, text: 'x {"c":1} y {"b":1}', verdict: 'pass' },
      { parameters: { keys, operator: 'any' }, text: '{"c":{"a":1}}', verdict: 'fail' },
      { parameters: { keys, operator: 'all' }, text: '{"a":1,"b":2}', verdict: 'pass' },
      { parameters: { keys, operator: 'all' }, text: '{"a":1} {"b":2}', verdict: 'fail' },
      { parameters: { keys, operator: 'none' }, text: '{"c":1}', verdict: 'pass' },
      { parameters: { keys, operator: 'none' }, text: '{"c":1} {"a":1}', verdict: 'fail' },
      { parameters: { keys: ['toString'] }, text: '{}', verdict: 'fail' },
    ]));

  it('fails without an object, and cannot judge an empty text', () =>
    testGuardrail(jsonKeys, [
      { parameters: { keys, operator: 'none' }, text: 'words', verdict: 'fail' },
      { parameters: { keys }, text: '[1]', verdict: 'fail' },
      { parameters: { keys }, text: '', verdict: 'error' },
    ]));

  it('reports which keys it found and which are missing', () =>
    testGuardrail(jsonKeys, [
      {
        parameters: { keys, operator: 'all' },
        text: '{"a":1}',
        verdict: 'fail',
        data: {
          explanation: 'The requirement that the JSON of the answer has all of the keys is not met.',
          foundKeys: ['a'],
          missingKeys: ['b'],
        },
      },
    ]));

  it('rejects invalid parameters', () =>
    testGuardrail(jsonKeys, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { keys: [] }, verdict: 'refused' },
      { parameters: { keys, operator: 'some' }, verdict: 'refused' },
    ]));
});
