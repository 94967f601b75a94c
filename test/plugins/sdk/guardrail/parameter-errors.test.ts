import { expect, it } from 'vitest';
import type { Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { parameterErrors } from '../../../../plugins/sdk/guardrail/parameter-errors.ts';

/** The members of a plugin that was not type-checked return anything. */
interface Members {
  readonly faults?: () => unknown;
  readonly timeoutMs?: () => unknown;
}

const errorsOf = (members: Members): readonly string[] =>
  parameterErrors(
    {
      ...{ id: 'acme.check', parameters: { type: 'object' }, create: () => () => ({ pass: true, data: {} }) },
      ...members,
    } as Guardrail,
    {},
  );

it.each([
  ['a text', 'one sentence'],
  ['a list of objects', [{ message: 'no' }]],
  ['a promise', Promise.resolve(['late'])],
])('an error is reported for a check whose faults function returns %s', (_, said) => {
  expect(errorsOf({ faults: () => said })).toEqual([
    'Its "faults" must return a list of sentences. Correct the plugin.',
  ]);
});

it.each(['5s', Number.NaN, -5, 0, 1.5])('an error is reported for a check with the time-out %s', (timeout) => {
  expect(errorsOf({ timeoutMs: () => timeout })).toEqual([
    'Its "timeoutMs" must return a whole number of milliseconds, at least 1. Correct the plugin.',
  ]);
});

const faultless: readonly Members[] = [
  {},
  { faults: () => undefined, timeoutMs: () => undefined },
  { faults: () => [], timeoutMs: () => 20_000 },
];

it.each(faultless)('no error is reported for a valid check: %#', (members) => {
  expect(errorsOf(members)).toEqual([]);
});
