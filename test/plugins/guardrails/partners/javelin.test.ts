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
  it('applies all guardrails of the application, and reports which of them reject the text', async () => {
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

  it('sends requests to the host in its credentials', async () => {
    const { service, requests } = checkService({ ...javelinStub, origins: ['https://eu.javelin.example'] });
    const parameters = { credentials: { ...credentials, domain: 'eu.javelin.example' } };
    await testGuardrail(check, [{ parameters, text: 'moon', service, verdict: 'pass' }]);
    expect(requests[0]?.url).toBe('https://eu.javelin.example/v1/guardrails/apply');
  });

  it('passes a text in which only an inspecting guardrail found something', () =>
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

  it('reports an error if no guardrail judged, or one does not state whether it rejects', () =>
    testGuardrail(check, [
      { parameters: { credentials }, text: 'x', service: saying({ assessments: [] }), verdict: 'error' },
      {
        parameters: { credentials },
        text: 'x',
        service: saying({ assessments: [{ trustsafety: { results: {} } }] }),
        verdict: 'error',
      },
    ]));

  it('reports an error for an empty assessment, unless another one rejects the text', () =>
    testGuardrail(
      check,
      [false, true].map((rejects) => ({
        parameters: { credentials },
        text: 'x',
        service: saying({ assessments: [{}, { trustsafety: { request_reject: rejects } }] }),
        verdict: rejects ? 'fail' : 'error',
      })),
    ));

  it('rejects credentials without an application, and an invalid application or domain', () =>
    testGuardrail(check, [
      { parameters: { credentials: { apiKey: partnerKey } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, application: 'my\napp' } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, domain: 'evil.example/path' } }, verdict: 'refused' },
    ]));
});
