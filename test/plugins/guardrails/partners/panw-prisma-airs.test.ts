import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { panwStub } from '../../../support/partners/panw-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });

describe('panw-prisma-airs.intercept', () => {
  const check = toGuardrail('panw-prisma-airs.intercept');
  const key = { AIRS_API_KEY: partnerKey };

  it('sends the model of the request, and answers as responses', async () => {
    const { service, requests } = checkService(panwStub);
    await testGuardrail(check, [
      {
        parameters: { profile_name: 'strict', app_user: 'ada', credentials: key },
        phase: 'output',
        text: 'plutonium',
        model: 'gpt-4o',
        service,
        verdict: 'fail',
        data: { category: 'malicious', detected: ['injection'] },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      ai_profile: { profile_name: 'strict' },
      metadata: { app_name: 'gatewright', ai_model: 'gpt-4o', app_user: 'ada' },
      contents: [{ response: 'plutonium' }],
    });
  });

  it('sends the model of its parameters instead of that of the request', async () => {
    const { service, requests } = checkService(panwStub);
    await testGuardrail(check, [
      {
        parameters: { profile_name: 'strict', ai_model: 'other', credentials: key },
        text: 'Hi',
        model: 'gpt-4o',
        service,
        verdict: 'pass',
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ metadata: { ai_model: 'other' } });
  });

  it('reports an error for an unknown action', () =>
    testGuardrail(check, [
      {
        parameters: { profile_id: 'p', credentials: key },
        text: 'x',
        service: saying({ action: 'ponder', category: 'benign', scan_id: '1' }),
        verdict: 'error',
      },
    ]));

  it('requires a profile', () => testGuardrail(check, [{ parameters: { credentials: key }, verdict: 'refused' }]));
});
