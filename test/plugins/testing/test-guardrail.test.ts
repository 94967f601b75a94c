import { describe, expect, it } from 'vitest';
import { defineGuardrail, fail, type Guardrail, pass } from '../../../plugins/sdk/guardrail.ts';
import { testGuardrail } from '../../../plugins/testing/test-guardrail.ts';

const short: Guardrail = defineGuardrail({
  id: 'test.short',
  parameters: { type: 'object', properties: { limit: { type: 'integer', default: 3 } } },
  create:
    ({ limit }) =>
    ({ text }) =>
      text.length <= limit ? pass() : fail(`The text has more than ${limit} characters.`),
});

describe('testGuardrail', () => {
  it('fills in defaults and looks at the verdict and its data', () =>
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
  ] as const)('finds that %s', async (fault, given) => {
    await expect(testGuardrail(short, [given])).rejects.toThrow(fault);
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
    ['its data is not JSON', { create: () => () => ({ pass: true, data: { at: Number.NaN } }) }],
  ] as readonly (readonly [string, Partial<Guardrail>])[])('finds that %s', async (fault, change) => {
    const done = testGuardrail({ ...short, ...change }, [{ parameters: {}, text: 'a', verdict: 'pass' }]);
    await expect(done).rejects.toThrow(fault);
  });

  it('finds a check that says otherwise the second time', async () => {
    let looks = 0;
    const fickle: Guardrail = { ...short, create: () => () => (looks++ % 2 === 0 ? pass() : fail('Not again.')) };
    const done = testGuardrail(fickle, [{ parameters: {}, text: 'a', verdict: 'pass' }]);
    await expect(done).rejects.toThrow('a second run gives another verdict');
  });
});
