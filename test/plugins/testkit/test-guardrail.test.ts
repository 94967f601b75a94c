import { describe, expect, it } from 'vitest';
import { defineGuardrail, fail, type Guardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { testGuardrail } from '../../../plugins/testkit/test-guardrail.ts';
import { wordCount, wordCountBy } from '../../support/plugins/word-count.ts';

const short: Guardrail = defineGuardrail({
  id: 'test.short',
  parameters: { type: 'object', properties: { limit: { type: 'integer', default: 3 } } },
  create:
    ({ limit }) =>
    ({ text }) =>
      text.length <= limit ? pass() : fail(`The text has more than ${limit} characters.`),
});

describe('testGuardrail', () => {
  it('fills in defaults and compares the verdict and its data', () =>
    testGuardrail(short, [
      { parameters: {}, text: 'abc', verdict: 'pass', data: {} },
      {
        parameters: { limit: 2 },
        text: 'abc',
        verdict: 'fail',
        data: { explanation: 'The text has more than 2 characters.' },
      },
    ]));

  it.each([
    ['expected pass, got fail', { parameters: {}, text: 'abcd', verdict: 'pass' }],
    [
      'expected pass, got refused ("limit" must be a whole number.)',
      { parameters: { limit: 'a' }, text: '', verdict: 'pass' },
    ],
    [
      'data.explanation is undefined, not "x"',
      { parameters: {}, text: '', verdict: 'pass', data: { explanation: 'x' } },
    ],
  ] as const)('reports that %s', async (error, given) => {
    await expect(testGuardrail(short, [given])).rejects.toThrow(error);
  });

  it.each([
    ['is not of the form plugin.name', { id: 'short' }],
    ['the parameter "timeout" is reserved', { parameters: { type: 'object', properties: { timeout: {} } } }],
    ['its parameters are not an object schema', { parameters: { type: 'string' } }],
    ['its parameters are not a valid schema', { parameters: { type: 'object', properties: { a: { type: 'strng' } } } }],
    [
      'expected pass, got error (no)',
      {
        create: () => () => {
          throw new Error('no');
        },
      },
    ],
    ['"create" of the check "test.short" must return a function', { create: (async () => () => pass()) as never }],
    ['its data is not JSON', { create: () => () => ({ pass: true, data: { at: Number.NaN } }) }],
  ] as readonly (readonly [string, Partial<Guardrail>])[])(
    'reports that %s for a changed check',
    async (error, change) => {
      const done = testGuardrail({ ...short, ...change }, [{ parameters: {}, text: 'a', verdict: 'pass' }]);
      await expect(done).rejects.toThrow(error);
    },
  );

  it('applies "at least one of two" as the compiler does', () =>
    testGuardrail(wordCount, [
      { parameters: { maxWords: 1 }, text: 'two words', verdict: 'fail' },
      { parameters: { minWords: 1, maxWords: 3 }, text: 'two words', verdict: 'pass' },
      { parameters: {}, verdict: 'refused' },
      { parameters: { minWords: 5, maxWords: 3 }, verdict: 'refused' },
      { parameters: { maxWord: 5 }, verdict: 'refused' },
    ]));

  it.each([
    ['"minWords" is greater than "maxWords".', { minWords: 5, maxWords: 3 }],
    ['(The option "minWords" or "maxWords" is missing.)', {}],
    ['("maxWords" must be a whole number.)', { maxWords: '3' }],
  ])('reports why parameters are refused: %s', async (why, parameters) => {
    await expect(testGuardrail(wordCount, [{ parameters, verdict: 'pass' }])).rejects.toThrow(why);
  });

  it('reports a schema that no config can match together with the members of every check', async () => {
    const parameters = { type: 'object', propertyNames: { maxLength: 5 }, properties: { limit: {} } } as const;
    const done = testGuardrail({ ...short, parameters, create: () => () => pass() }, [
      { parameters: {}, verdict: 'pass' },
    ]);
    await expect(done).rejects.toThrow('its schema refuses the members that every check takes');
  });

  it('reports an alternative that has a member reserved for every check', async () => {
    const parameters = { type: 'object', anyOf: [{ properties: { timeout: { type: 'integer' } } }] } as const;
    await expect(testGuardrail({ ...short, parameters }, [])).rejects.toThrow('the parameter "timeout" is reserved');
  });

  it('passes the check only its own parameters', () =>
    testGuardrail(
      { ...short, create: (parameters) => () => ({ pass: true, data: { given: Object.keys(parameters) } }) },
      [{ parameters: { failOnError: true, limit: 3 }, verdict: 'pass', data: { given: ['limit'] } }],
    ));

  it.each([
    ['anyOf', false],
    ['anyOf', true],
    ['oneOf', false],
    ['oneOf', true],
    ['allOf', false],
  ] as const)('allows other members beside %s options (closed: %s)', async (keyword, closed) => {
    const both = { minWords: 1, maxWords: 2 };
    await testGuardrail(wordCountBy(keyword, closed), [
      { parameters: { ...(keyword === 'allOf' ? both : { maxWords: 2 }), language: 'en' }, verdict: 'pass' },
      { parameters: both, verdict: keyword === 'oneOf' || closed ? 'refused' : 'pass' },
      { parameters: { maxWords: 2, more: 1 }, verdict: 'refused' },
    ]);
  });

  it('reports a check whose second verdict differs', async () => {
    let looks = 0;
    const fickle: Guardrail = { ...short, create: () => () => (looks++ % 2 === 0 ? pass() : fail('Not again.')) };
    const done = testGuardrail(fickle, [{ parameters: {}, text: 'a', verdict: 'pass' }]);
    await expect(done).rejects.toThrow('a second run returns a different verdict');
  });
});
