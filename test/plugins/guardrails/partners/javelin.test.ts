import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { javelinStub } from '../../../support/partners/javelin-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const check = toGuardrail('javelin.guardrails');
const credentials = { apiKey: partnerKey, application: 'my-app' };
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });

describe('javelin.guardrails', () => {
  it('asks for all guardrails of the application, and says which of them reject the text', async () => {
    const { service, requests } = checkService(javelinStub);
    await testGuardrail(check, [
      {
        parameters: { credentials },
        phase: 'output',
        text: 'plutonium',
        service,
        verdict: 'fail',
        data: { rejecting: ['promptinjectiondetection'] },
      },
    ]);
    expect(requests[0]?.url).toBe('https://api-dev.javelin.live/v1/guardrails/apply');
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ input: { text: 'plutonium' } });
  });

  it('asks at the host that the credentials name', async () => {
    const { service, requests } = checkService({ ...javelinStub, origins: ['https://eu.javelin.example'] });
    const parameters = { credentials: { ...credentials, domain: 'eu.javelin.example' } };
    await testGuardrail(check, [{ parameters, text: 'moon', service, verdict: 'pass' }]);
    expect(requests[0]?.url).toBe('https://eu.javelin.example/v1/guardrails/apply');
  });

  it('passes what a guardrail that only inspects has found', () =>
    testGuardrail(check, [
      {
        parameters: { credentials },
        text: 'x',
        service: saying({
          assessments: [{ trustsafety: { results: { categories: { crime: true } }, request_reject: false } }],
        }),
        verdict: 'pass',
        data: { rejecting: [] },
      },
    ]));

  it('has an error where no guardrail judged, and where one does not say whether it rejects', () =>
    testGuardrail(check, [
      { parameters: { credentials }, text: 'x', service: saying({ assessments: [] }), verdict: 'error' },
      {
        parameters: { credentials },
        text: 'x',
        service: saying({ assessments: [{ trustsafety: { results: {} } }] }),
        verdict: 'error',
      },
    ]));

  it('has an error for an assessment that is empty, unless another rejects the text', () =>
    testGuardrail(
      check,
      [false, true].map((rejects) => ({
        parameters: { credentials },
        text: 'x',
        service: saying({ assessments: [{}, { trustsafety: { request_reject: rejects } }] }),
        verdict: rejects ? 'fail' : 'error',
      })),
    ));

  it('refuses credentials without an application, and an application or a domain that is none', () =>
    testGuardrail(check, [
      { parameters: { credentials: { apiKey: partnerKey } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, application: 'my\napp' } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, domain: 'evil.example/path' } }, verdict: 'refused' },
    ]));
});
