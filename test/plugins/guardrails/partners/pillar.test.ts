import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { pillarStub } from '../../../support/partners/pillar-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const credentials = { apiKey: partnerKey };
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });

describe('the checks of Pillar Security', () => {
  it.each([
    { id: 'pillar.scanPrompt', url: 'https://api.pillarseclabs.com/api/v1/scan/prompt' },
    { id: 'pillar.scanResponse', url: 'https://api.pillarseclabs.com/api/v1/scan/response' },
  ])('send the text and the scanners with $id', async ({ id, url }) => {
    const { service, requests } = checkService(pillarStub);
    const parameters = { scanners: ['secrets', 'pii', 'secrets'], credentials };
    await testGuardrail(toGuardrail(id), [{ parameters, text: 'moon', service, verdict: 'pass', data: { found: [] } }]);
    expect(requests[0]?.url).toBe(url);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ message: 'moon', scanners: { secrets: true, pii: true } });
  });

  it('name the scanners that found something', () =>
    testGuardrail(toGuardrail('pillar.scanPrompt'), [
      {
        parameters: { scanners: ['prompt_injection', 'pii', 'secrets'], credentials },
        text: 'x',
        service: saying({ prompt_injection: true, pii: false, secrets: true, toxic_language: null }),
        verdict: 'fail',
        data: { found: ['prompt_injection', 'secrets'] },
      },
    ]));

  it.each([{ pii: null }, {}, { secrets: false }, { pii: 'no' }])(
    'report an error if a requested scanner returns no result: %j',
    (answer) =>
      testGuardrail(toGuardrail('pillar.scanResponse'), [
        { parameters: { scanners: ['pii'], credentials }, text: 'x', service: saying(answer), verdict: 'error' },
      ]),
  );

  it('send no request for a blank text', () =>
    testGuardrail(toGuardrail('pillar.scanPrompt'), [
      { parameters: { scanners: ['pii'], credentials }, text: ' ', verdict: 'pass' },
    ]));

  it('reject parameters without scanners, and scanners of the other phase', async () => {
    await testGuardrail(toGuardrail('pillar.scanPrompt'), [
      { parameters: { credentials }, verdict: 'refused' },
      { parameters: { scanners: [], credentials }, verdict: 'refused' },
      { parameters: { scanners: ['pii'] }, verdict: 'refused' },
    ]);
    await testGuardrail(toGuardrail('pillar.scanResponse'), [
      { parameters: { scanners: ['prompt_injection'], credentials }, verdict: 'refused' },
    ]);
  });
});
