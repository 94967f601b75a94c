import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { lassoStub } from '../../../support/partners/lasso-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const parameters = { credentials: { apiKey: partnerKey } };
const saying = (violations_detected: boolean, findings?: Json, deputies: Json = { jailbreak: true }) => ({
  parameters,
  text: 'x',
  service: () => ({ status: 200, headers: [], text: JSON.stringify({ violations_detected, findings, deputies }) }),
});

describe('lasso.classify', () => {
  it('sends the text as a prompt, and names the detectors that found something', async () => {
    const { service, requests } = checkService(lassoStub);
    await testGuardrail(toGuardrail('lasso.classify'), [
      { parameters, text: 'plutonium', service, verdict: 'fail', data: { detected: ['jailbreak'] } },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      messages: [{ role: 'user', content: 'plutonium' }],
      messageType: 'PROMPT',
    });
  });

  it('passes a text of which the policy only warns', () =>
    testGuardrail(toGuardrail('lasso.classify'), [
      { ...saying(true, { hate: [{ action: 'WARN' }] }), verdict: 'pass', data: { detected: ['hate', 'jailbreak'] } },
    ]));

  it('fails a text that the policy blocks or would mask, and one without a known action', () =>
    testGuardrail(toGuardrail('lasso.classify'), [
      { ...saying(true, { hate: [{ action: 'WARN' }], pii: [{ action: 'BLOCK' }] }), verdict: 'fail' },
      { ...saying(true, { 'pattern-detection': [{ action: 'AUTO_MASKING' }] }), verdict: 'fail' },
      { ...saying(true, { hate: [{ action: 'NEW_ACTION' }] }), verdict: 'fail' },
      { ...saying(true, { hate: [] }), verdict: 'fail' },
      { ...saying(true, {}), verdict: 'fail' },
      { ...saying(false, { pii: [{ action: 'BLOCK' }] }), verdict: 'fail' },
      { ...saying(true), verdict: 'fail' },
      { ...saying(false), verdict: 'fail' },
      { ...saying(true, null, null), verdict: 'fail', data: { detected: [] } },
    ]));

  it('reports an error for invalid findings', () =>
    testGuardrail(toGuardrail('lasso.classify'), [
      { ...saying(true, { hate: 'WARN' }), verdict: 'error' },
      { ...saying(true, { hate: [{}] }), verdict: 'error' },
      { ...saying(false, {}, { hate: 'true' }), verdict: 'error' },
    ]));

  it('judges only prompts', () => {
    expect(toGuardrail('lasso.classify').phases).toEqual(['input']);
  });
});
