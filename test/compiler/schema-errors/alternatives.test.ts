import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { type Guardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { testSaved as saved, testCatalogue } from '../../support/plans/catalogue.ts';
import { wordCount, wordCountBy } from '../../support/plugins/word-count.ts';

/** Returns the findings about the parameters of one check: the code, the place and the message of each. */
const readSaid = (guardrail: Guardrail, parameters: JsonObject): readonly string[] => {
  const own = buildCatalogue([definePlugin({ name: 'p', guardrails: [guardrail] })]);
  const base = `/input_guardrails/0/${guardrail.id}`;
  return compile(JSON.stringify({ provider: '@openai-prod', input_guardrails: [{ [guardrail.id]: parameters }] }), {
    trust: 'operator',
    catalogue: { ...testCatalogue, checks: own.checks },
    saved,
  }).diagnostics.map(({ code, pointer, message }) => `${code} ${pointer.replace(base, '')}: ${message}`);
};

const common: JsonObject = { failOnError: true, timeout: 50, id: 'mine' };

const toCheck = (parameters: ParameterSchema): Guardrail => ({ id: 'a.b', parameters, create: () => () => pass() });

describe('a check that requires at least one of two parameters', () => {
  it.each<[JsonObject]>([[{ minWords: 1 }], [{ maxWords: 3 }], [{ minWords: 1, maxWords: 3 }]])(
    'accepts %j',
    (given) => {
      expect(readSaid(wordCount, given)).toEqual([]);
      expect(readSaid(wordCount, { ...given, ...common })).toEqual([]);
    },
  );

  it.each<[JsonObject, readonly string[]]>([
    [{}, ['missing-key : "test.wordCount" requires "minWords" or "maxWords".']],
    [common, ['missing-key : "test.wordCount" requires "minWords" or "maxWords".']],
    [{ maxWords: '3' }, ['wrong-type /maxWords: "maxWords" must be a whole number, not a string.']],
    [{ maxWord: 3 }, ['unknown-key /maxWord: "maxWord" is not a setting here.']],
    [
      { minWords: 5, maxWords: 3 },
      [
        'invalid-parameters : The parameters of "test.wordCount" cannot be used: "minWords" is greater than "maxWords".',
      ],
    ],
  ])('reports once what is wrong with %j', (given, said) => {
    expect(readSaid(wordCount, given)).toEqual(said);
  });

  it('reports the message of an error that `faults` throws', () => {
    const errors = (): readonly string[] => {
      throw new Error('No list has that name');
    };
    expect(readSaid({ ...wordCount, faults: errors }, { maxWords: 3 })).toEqual([
      'invalid-parameters : The parameters of "test.wordCount" cannot be used: No list has that name.',
    ]);
  });
});

describe.each([
  ['anyOf', false],
  ['anyOf', true],
  ['oneOf', false],
  ['oneOf', true],
] as const)('options of %s with their own members (closed: %s)', (keyword, closed) => {
  const guardrail = wordCountBy(keyword, closed);

  it('accept the members next to them and those common to all checks', () => {
    expect(readSaid(guardrail, { maxWords: 3, language: 'en', ...common })).toEqual([]);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{}, [`missing-key : "${guardrail.id}" requires "minWords" or "maxWords".`]],
    [{ maxWords: '3' }, ['wrong-type /maxWords: "maxWords" must be a whole number, not a string.']],
    [{ maxWords: 3, other: 1 }, ['unknown-key /other: "other" is not a setting here.']],
  ])('report once what is wrong with %j', (given, said) => {
    expect(readSaid(guardrail, given)).toEqual(said);
  });
});

describe('alternatives', () => {
  const member = { type: 'integer' } as const;
  const kinds = toCheck({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    anyOf: [
      { properties: { kind: { const: 'a' }, x: member }, required: ['x'] },
      { properties: { kind: { const: 'b' }, y: member }, required: ['y'] },
    ],
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ kind: 'b', y: 1 }, []],
    [{ kind: 'b' }, ['missing-key : "a.b" requires "y".']],
    [{ kind: 'b', y: 'z' }, ['wrong-type /y: "y" must be a whole number, not a string.']],
    [{ kind: 'c' }, ['not-in-list /kind: "kind" cannot be "c".']],
    [{ kind: 'a', x: 1, y: 2 }, ['unknown-key /y: "y" is not a setting here.']],
  ])('are distinguished by a constant: %j', (given, said) => {
    expect(readSaid(kinds, given)).toEqual(said);
  });

  it('that exclude one another are reported if both match', () => {
    const either = toCheck({
      type: 'object',
      properties: { x: member, y: member },
      oneOf: [{ required: ['x'] }, { required: ['y'] }],
    });
    expect(readSaid(either, { x: 1 })).toEqual([]);
    expect(readSaid(either, { x: 1, y: 1 })).toEqual([
      'wrong-form : "a.b" must be in exactly one of the allowed forms.',
    ]);
  });

  it('may contain patterns', () => {
    const pattern = toCheck({
      type: 'object',
      properties: { rule: { oneOf: [{ type: 'string', format: 'regex' }, { type: 'null' }] } },
    });
    expect(readSaid(pattern, { rule: '(' }).map((text) => text.split(' ')[0])).toEqual(['invalid-regex']);
  });
});
