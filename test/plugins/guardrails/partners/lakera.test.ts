import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { guardrailOf } from '../../../support/partners/guardrail-of.ts';
import { lakeraStub } from '../../../support/partners/lakera-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';

const credentials = { apiKey: partnerKey };

describe('lakera.guard', () => {
  it('says who wrote the text, and in which project', async () => {
    const { service, requests } = checkService(lakeraStub);
    await testGuardrail(guardrailOf('lakera.guard'), [
      {
        parameters: { projectID: 'project-1', credentials },
        phase: 'output',
        text: 'plutonium',
        service,
        verdict: 'fail',
        data: { detected: ['prompt_attack'] },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      messages: [{ role: 'assistant', content: 'plutonium' }],
      breakdown: true,
      project_id: 'project-1',
    });
  });
});
