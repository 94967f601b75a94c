import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { aporiaStub } from '../../../support/partners/aporia-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const credentials = { apiKey: partnerKey };
const parameters = { projectID: 'project-1', credentials };
const [stubbed] = aporiaStub.checks;

const saying = (action: string) => ({
  parameters,
  text: 'x',
  service: () => ({ status: 200, headers: [], text: JSON.stringify({ action, revised_response: 'y' }) }),
});

describe('aporia.validateProject', () => {
  it('sends a prompt, or an answer with its prompt', async () => {
    const { service, requests } = checkService(aporiaStub);
    const given = { parameters: stubbed?.parameters ?? {}, service, verdict: 'pass' } as const;
    await testGuardrail(toGuardrail('aporia.validateProject'), [
      { ...given, text: 'Who?' },
      { ...given, phase: 'output', text: 'Me.', requestText: 'Who?' },
      { ...given, phase: 'output', text: 'Me.' },
    ]);
    const bodies = new Set(requests.map(({ body }) => body));
    expect([...bodies].map((body) => JSON.parse(body ?? ''))).toEqual([
      { messages: [{ role: 'user', content: 'Who?' }], validation_target: 'prompt' },
      { messages: [{ role: 'user', content: 'Who?' }], validation_target: 'response', response: 'Me.' },
      { messages: [], validation_target: 'response', response: 'Me.' },
    ]);
  });

  it('fails a text that the policies block or would change, and passes any other', () =>
    testGuardrail(toGuardrail('aporia.validateProject'), [
      { ...saying('passthrough'), verdict: 'pass' },
      { ...saying('block'), verdict: 'fail', data: { action: 'block' } },
      { ...saying('modify'), verdict: 'fail', data: { action: 'modify' } },
      { ...saying('rephrase'), verdict: 'fail', data: { action: 'rephrase' } },
    ]));

  it('reports an error for an undocumented action', () =>
    testGuardrail(toGuardrail('aporia.validateProject'), [
      { ...saying('allow'), verdict: 'error' },
      { ...saying('toString'), verdict: 'error' },
      { ...saying(''), verdict: 'error' },
    ]));

  it.each(['', '..', 'a/b', 'a?b', 'a b'])('rejects the project "%s", because it is part of the path', (projectID) =>
    testGuardrail(toGuardrail('aporia.validateProject'), [
      { parameters: { projectID, credentials }, verdict: 'refused' },
    ]),
  );
});
