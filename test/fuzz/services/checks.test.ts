import { describe, expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import { fuzzRuns } from '../support/settings.ts';
import { expectEndings, passedRawAnswers } from './cases/odd-answers.ts';
import { passedWrongly } from './cases/one-place.ts';
import { serviceChecks } from './support/service-checks.ts';

describe.each(serviceChecks)('$name', (check) => {
  it('passes no text if what decides the verdict is absent from the answer or has the wrong type', async () => {
    expect(await passedWrongly(check)).toEqual([]);
  });

  it('passes no text on an answer of a proxy or a truncated answer', async () => {
    expect(await passedRawAnswers(check)).toEqual([]);
  });

  it('returns a verdict or a readable error, and shows no secret', { timeout: 30_000 + fuzzRuns * 5 }, () =>
    expectEndings(check),
  );
});

it('every check with a base URL is fuzzed', () => {
  const partners = builtinGuardrails.filter(({ parameters }) => Object.hasOwn(parameters.properties ?? {}, 'baseUrl'));
  const tried = new Set(serviceChecks.map(({ id }) => id));
  expect(partners.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
});
