import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { qualifireStub } from '../../../support/partners/qualifire-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const parameters = { credentials: { apiKey: partnerKey } };
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });
const evaluated = (flagged: unknown) => [{ type: 'pii', results: [{ flagged } as JsonObject] }];
const asked = 'The moon is made of rock.\nWhat is it made of?';

const bodyOf = async (name: string, phase: 'input' | 'output', more: JsonObject = {}): Promise<JsonObject> => {
  const { service, requests } = checkService(qualifireStub);
  await testGuardrail(toGuardrail(`qualifire.${name}`), [
    { parameters: { ...parameters, ...more }, phase, text: 'moon', requestText: asked, service, verdict: 'pass' },
  ]);
  return JSON.parse(requests[0]?.body ?? '') as JsonObject;
};

describe('the checks of Qualifire', () => {
  it.each(['contentModeration', 'pii'])('send with %s only the judged text', async (name) => {
    expect(await bodyOf(name, 'input')).toMatchObject({ input: 'moon' });
    const answered = await bodyOf(name, 'output');
    expect(answered).toMatchObject({ output: 'moon' });
    expect(answered).not.toHaveProperty('input');
  });

  it.each(['grounding', 'hallucinations'])('send with %s the question, the answer and the mode', async (name) => {
    const detector = { [`${name}_check`]: true };
    expect(await bodyOf(name, 'output')).toEqual({
      input: asked,
      output: 'moon',
      ...detector,
      [`${name}_mode`]: 'balanced',
    });
    expect(await bodyOf(name, 'output', { mode: 'speed' })).toMatchObject({ [`${name}_mode`]: 'speed' });
  });

  it('send with policy the policies, and which text must follow them', async () => {
    const policies = ['It is about the moon.'];
    const more = { assertions: policies };
    expect(await bodyOf('policy', 'input', { policies })).toEqual({ input: 'moon', policy_target: 'input', ...more });
    expect(await bodyOf('policy', 'output', { policies })).toEqual({
      input: asked,
      output: 'moon',
      policy_target: 'output',
      ...more,
    });
  });

  it('fail if a result is flagged, whatever the overall status is, or if the status is "failed"', () =>
    testGuardrail(toGuardrail('qualifire.pii'), [
      {
        parameters,
        text: 'x',
        service: saying({ status: 'success', score: 90, evaluationResults: evaluated(true) }),
        verdict: 'fail',
        data: { found: ['pii'] },
      },
      {
        parameters,
        text: 'x',
        service: saying({ status: 'failed', score: null, evaluationResults: evaluated(false) }),
        verdict: 'fail',
      },
      {
        parameters,
        text: 'x',
        service: saying({ status: 'success', evaluationResults: [{ type: 'x', results: [] }, ...evaluated(true)] }),
        verdict: 'fail',
        data: { found: ['pii'] },
      },
      {
        parameters,
        text: 'x',
        service: saying({ status: 'warning', score: 60, evaluationResults: evaluated(false) }),
        verdict: 'pass',
      },
    ]));

  it.each([
    { status: 'success', score: 90, evaluationResults: [] },
    { status: 'success', score: 90, evaluationResults: [{ type: 'pii', results: [] }] },
    { status: 'success', score: 90, evaluationResults: [...evaluated(false), { type: 'grounding', results: [] }] },
    { status: 'success', score: 90, evaluationResults: evaluated('no') },
    { status: 'skipped', score: 90, evaluationResults: evaluated(false) },
  ])('report an error if the response does not state what was judged: %j', (answer) =>
    testGuardrail(toGuardrail('qualifire.pii'), [{ parameters, text: 'x', service: saying(answer), verdict: 'error' }]),
  );

  it('reject parameters without a key, an unknown mode, and missing policies', async () => {
    await testGuardrail(toGuardrail('qualifire.pii'), [{ parameters: {}, verdict: 'refused' }]);
    await testGuardrail(toGuardrail('qualifire.grounding'), [
      { parameters: { ...parameters, mode: 'slow' }, verdict: 'refused' },
    ]);
    await testGuardrail(toGuardrail('qualifire.policy'), [
      { parameters, verdict: 'refused' },
      { parameters: { ...parameters, policies: [] }, verdict: 'refused' },
    ]);
  });
});
