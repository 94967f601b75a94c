import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { sydelabsStub } from '../../../support/partners/sydelabs-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const sydeguard = toGuardrail('sydelabs.sydeguard');
const parameters = { credentials: { apiKey: partnerKey } };
const toScores = (scores: { readonly [category: string]: Json }): readonly JsonObject[] =>
  Object.entries(scores).map(([category, score]) => ({ error: null, category, score }));
const scored = (scores: { readonly [category: string]: Json }, more: JsonObject = {}) => ({
  parameters,
  text: 'x',
  service: () => ({
    status: 200,
    headers: [],
    text: JSON.stringify({
      error: null,
      category_scores: toScores(scores),
      ...more,
    }),
  }),
});
const low = { EVASION: 0.1, PROMPT_INJECT: 0.1, TOXIC: 0.1 };

describe('sydelabs.sydeguard', () => {
  it('sends the prompt', async () => {
    const { service, requests } = checkService(sydelabsStub);
    await testGuardrail(sydeguard, [{ parameters, text: 'moon', service, verdict: 'pass', data: { found: [] } }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ prompt: 'moon' });
  });

  it('fails a text that reaches the threshold of a category', () =>
    testGuardrail(sydeguard, [
      { ...scored({ ...low, TOXIC: 0.49 }), verdict: 'pass' },
      { ...scored({ ...low, TOXIC: 0.5 }), verdict: 'fail', data: { found: ['toxicity'] } },
      {
        ...scored({ EVASION: 0.6, PROMPT_INJECT: 0.9, TOXIC: 0.2 }),
        parameters: { ...parameters, evasion_threshold: 0.7, toxicity_threshold: 0.2 },
        verdict: 'fail',
        data: { found: ['prompt_injection', 'toxicity'] },
      },
      { ...scored({ ...low, TOXIC: 1 }), parameters: { ...parameters, toxicity_threshold: 1 }, verdict: 'fail' },
    ]));

  it.each([
    { case: 'a category without a score', given: scored({ EVASION: 0.1, TOXIC: 0.1 }) },
    { case: 'a score that is not a number', given: scored({ ...low, TOXIC: '0.1' }) },
    { case: 'a top-level error', given: scored(low, { error: 'Busy' }) },
    {
      case: 'an error in a category, even if all categories have scores',
      given: scored(low, {
        category_scores: toScores(low).map((each, at) => (at === 1 ? { ...each, error: 'Busy' } : each)),
      }),
    },
    {
      case: 'an entry without a score',
      given: scored(low, { category_scores: [...toScores(low), { error: null, category: 'TOXIC' }] }),
    },
  ])('reports an error for $case', ({ given }) => testGuardrail(sydeguard, [{ ...given, verdict: 'error' }]));

  it('sends no request for a blank text', () =>
    testGuardrail(sydeguard, [{ parameters, text: '\n', verdict: 'pass' }]));

  it('rejects parameters without a key, and thresholds above 1', () =>
    testGuardrail(sydeguard, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { ...parameters, toxicity_threshold: 2 }, verdict: 'refused' },
    ]));
});
