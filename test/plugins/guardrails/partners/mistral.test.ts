import { describe, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { mistralStub } from '../../../support/partners/mistral-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });
const credentials = { apiKey: partnerKey };

describe('mistral.moderateContent', () => {
  const check = toGuardrail('mistral.moderateContent');
  const { service } = checkService(mistralStub);
  const older = saying({ results: [{ categories: { dangerous_and_criminal_content: true, pii: false } }] });

  it('fails only for its own categories', () =>
    testGuardrail(check, [
      { parameters: { categories: ['pii'], credentials }, text: 'plutonium', service, verdict: 'pass' },
      {
        parameters: { categories: ['pii', 'dangerous'], credentials },
        text: 'plutonium',
        service,
        verdict: 'fail',
        data: { found: ['dangerous'] },
      },
    ]));

  it('accepts the category names of both the previous and the current model', () =>
    testGuardrail(check, [
      {
        parameters: { categories: ['dangerous_and_criminal_content'], credentials },
        text: 'plutonium',
        service,
        verdict: 'fail',
      },
      { parameters: { categories: ['criminal'], credentials }, text: 'x', service: older, verdict: 'fail' },
    ]));

  it('reports an error if the model did not judge a category or the whole text', () =>
    testGuardrail(check, [
      { parameters: { categories: ['jailbreaking'], credentials }, text: 'x', service: older, verdict: 'error' },
      { parameters: { categories: ['pii'], credentials }, text: 'a'.repeat(9000), service: older, verdict: 'error' },
    ]));
});
