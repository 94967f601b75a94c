import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { aktoStub } from '../../../support/partners/akto-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const scan = toGuardrail('akto.scan');
const parameters = aktoStub.checks[0]?.parameters ?? {};
const saying = (body: JsonObject) => ({
  parameters,
  text: 'x',
  service: () => ({ status: 200, headers: [], text: JSON.stringify(body) }),
});

describe('akto.scan', () => {
  it('sends prompts and answers to separate URLs', async () => {
    const { service, requests } = checkService(aktoStub);
    await testGuardrail(scan, [
      { parameters, text: 'moon', service, verdict: 'pass' },
      { parameters, phase: 'output', text: 'moon', service, verdict: 'pass' },
    ]);
    expect([...new Set(requests.map(({ url }) => url))]).toEqual([
      'https://guardrails.akto.example/api/validate/request',
      'https://guardrails.akto.example/api/validate/response',
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ payload: 'moon', contextSource: 'AGENTIC' });
  });

  it('fails a text that a policy blocks or would change, in either spelling', () =>
    testGuardrail(scan, [
      { ...saying({ Allowed: false, Modified: false }), verdict: 'fail' },
      { ...saying({ Allowed: true, Modified: true }), verdict: 'fail' },
      { ...saying({ allowed: false, modified: false }), verdict: 'fail' },
      { ...saying({ allowed: true, modified: false }), verdict: 'pass' },
    ]));

  it.each([{}, { Allowed: 'yes', Modified: false }, { Allowed: true }])(
    'reports an error if the response does not state a verdict: %j',
    (answer) => testGuardrail(scan, [{ ...saying(answer), verdict: 'error' }]),
  );

  it('rejects credentials without the host of the service', () =>
    testGuardrail(scan, [{ parameters: { credentials: { apiKey: 'k' } }, verdict: 'refused' }]));
});
