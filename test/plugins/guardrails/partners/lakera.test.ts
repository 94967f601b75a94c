import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { lakeraStub } from '../../../support/partners/lakera-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const credentials = { apiKey: partnerKey };

describe('lakera.guard', () => {
  it('sends the role of the text and the project', async () => {
    const { service, requests } = checkService(lakeraStub);
    await testGuardrail(toGuardrail('lakera.guard'), [
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
