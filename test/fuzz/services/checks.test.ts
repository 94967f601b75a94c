import { describe, expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import { fuzzRuns } from '../support/settings.ts';
import { expectEndings, passedRawAnswers } from './cases/odd-answers.ts';
import { passedWrongly } from './cases/one-place.ts';
import { serviceChecks } from './support/service-checks.ts';

describe.each(serviceChecks)('$name', (check) => {
  it('passes nothing of which an answer does not say whether it may', async () => {
    expect(await passedWrongly(check)).toEqual([]);
  });

  it('takes no answer of a proxy for one of its service', async () => {
    expect(await passedRawAnswers(check)).toEqual([]);
  });

  it('ends with a verdict or an error in plain words, and shows no secret', { timeout: 30_000 + fuzzRuns * 5 }, () =>
    expectEndings(check),
  );
});

it('tries every check of a partner', () => {
  const partners = builtinGuardrails.filter(({ parameters }) => Object.hasOwn(parameters.properties ?? {}, 'baseUrl'));
  const tried = new Set(serviceChecks.map(({ id }) => id));
  expect(partners.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
});
