import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';
import { zscalerStub } from '../../../support/partners/zscaler-stub.ts';

const aiGuard = toGuardrail('zscaler.aiGuard');
const parameters = { credentials: { apiKey: partnerKey } };
const saying = (body: JsonObject) => ({
  parameters,
  text: 'x',
  service: () => ({ status: 200, headers: [], text: JSON.stringify({ statusCode: 200, ...body }) }),
});

describe('zscaler.aiGuard', () => {
  it('sends the direction, and the policy as a number', async () => {
    const { service, requests } = checkService(zscalerStub);
    await testGuardrail(aiGuard, [
      { parameters, text: 'moon', service, verdict: 'pass' },
      { parameters: { ...parameters, policyId: '760' }, phase: 'output', text: 'sun', service, verdict: 'pass' },
    ]);
    const asked = new Set(requests.map(({ url, body }) => `${new URL(url).pathname} ${body}`));
    expect([...asked]).toEqual([
      '/v1/detection/resolve-and-execute-policy {"content":"moon","direction":"IN"}',
      '/v1/detection/execute-policy {"content":"sun","direction":"OUT","policyId":760}',
    ]);
  });

  it('fails a text that the policy blocks or masks, and names the detectors', () =>
    testGuardrail(aiGuard, [
      {
        ...saying({ action: 'BLOCK', detectorResponses: { pii: { triggered: true }, code: { triggered: false } } }),
        verdict: 'fail',
        data: { detected: ['pii'] },
      },
      { ...saying({ action: 'DETECT', maskedContent: null }), verdict: 'pass' },
      { ...saying({ action: 'ALLOW', maskedContent: 'x' }), verdict: 'pass' },
      { ...saying({ action: 'ALLOW', maskedContent: '*' }), verdict: 'fail' },
    ]));

  it.each([{ action: 'ALLOW', statusCode: 500 }, { action: 'ALLOW', detectorErrorCount: 1 }, { action: 'MAYBE' }, {}])(
    'reports an error if the text was not judged: %j',
    (answer) => testGuardrail(aiGuard, [{ ...saying(answer), verdict: 'error' }]),
  );

  it('rejects a policy that is not a number', () =>
    testGuardrail(aiGuard, [{ parameters: { ...parameters, policyId: 'mine' }, verdict: 'refused' }]));
});
