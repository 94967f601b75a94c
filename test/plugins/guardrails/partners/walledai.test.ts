import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';
import { walledaiStub } from '../../../support/partners/walledai-stub.ts';

const check = toGuardrail('walledai.walledprotect');
const parameters = { credentials: { apiKey: partnerKey } };
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });

describe('walledai.walledprotect', () => {
  it('sends the role of the text, and requests only the safety check', async () => {
    const { service, requests } = checkService(walledaiStub);
    await testGuardrail(check, [{ parameters, phase: 'output', text: 'plutonium', service, verdict: 'fail' }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      text: [{ role: 'assistant', content: 'plutonium' }],
      generic_safety_check: true,
      greetings_list: [],
      compliance_list: [],
      pii_list: [],
    });
  });

  it('fails if one of several judgements is not safe', () =>
    testGuardrail(check, [
      {
        parameters,
        text: 'x',
        service: saying({ success: true, data: { safety: [{ isSafe: true }, { isSafe: false }] } }),
        verdict: 'fail',
      },
    ]));

  it.each([
    { success: true, data: { safety: [] } },
    { success: true, data: { safety: [{ isSafe: false }, { isSafe: null }] } },
    { success: false, data: { safety: [{ isSafe: true }] } },
    { data: { safety: [{ isSafe: true }] } },
  ])('reports an error if the response does not state whether the text is safe: %j', (answer) =>
    testGuardrail(check, [{ parameters, text: 'x', service: saying(answer), verdict: 'error' }]),
  );

  it('rejects parameters without a key', () => testGuardrail(check, [{ parameters: {}, verdict: 'refused' }]));
});
