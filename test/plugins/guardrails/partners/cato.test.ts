import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { catoStub } from '../../../support/partners/cato-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const analyze = toGuardrail('cato.analyze');
const parameters = { credentials: { apiKey: partnerKey } };
const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;
const judged = { policy_drill_down: {} };
const saying = (body: JsonObject) => ({
  parameters,
  text: 'ada',
  service: () => ({ status: 200, headers: [], text: JSON.stringify({ analysis_result: judged, ...body }) }),
});

describe('cato.analyze', () => {
  it('sends the pieces as messages, with the user and the key alias', async () => {
    const { service, requests } = checkService(catoStub);
    const named = { ...parameters, userEmail: 'u@example.com', keyAlias: 'team' };
    const spans = [piece('One.'), piece(' '), piece('Two.')];
    await testGuardrail(analyze, [{ parameters: named, spans, service, verdict: 'pass' }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      messages: [
        { role: 'user', content: 'One.' },
        { role: 'user', content: 'Two.' },
      ],
    });
    expect(requests[0]?.headers).toMatchObject({
      'x-cato-user-email': 'u@example.com',
      'x-cato-gateway-key-alias': 'team',
    });
  });

  it('replaces what the policy anonymizes, each piece with its message', () =>
    testGuardrail(analyze, [
      {
        parameters,
        spans: [piece('Hi.'), piece('\n'), piece('To ada@example.com, please.')],
        service: checkService(catoStub).service,
        verdict: 'pass',
        data: { detected: ['PII'] },
        replaced: ['Hi.', '\n', 'To [EMAIL_1], please.'],
      },
      {
        ...saying({
          required_action: {
            action_type: 'anonymize_action',
            chat_redaction_result: { all_redacted_messages: [{ role: 'user', content: '[NAME_1]' }] },
          },
        }),
        verdict: 'pass',
        replaced: ['[NAME_1]'],
      },
    ]));

  it('fails a text that the policy blocks, and passes one that it monitors', () =>
    testGuardrail(analyze, [
      { ...saying({ required_action: { action_type: 'block_action' } }), verdict: 'fail' },
      { ...saying({ required_action: { action_type: 'monitor_action' } }), verdict: 'pass' },
      { ...saying({ required_action: null }), verdict: 'pass' },
    ]));

  it.each([
    {},
    { required_action: {} },
    { required_action: { action_type: 'other_action' } },
    { required_action: { action_type: 'none' } },
    { required_action: null, analysis_result: null },
    { required_action: { action_type: 'anonymize_action' } },
    { required_action: { action_type: 'anonymize_action' }, redacted_chat: { all_redacted_messages: [] } },
    {
      required_action: { action_type: 'anonymize_action' },
      redacted_chat: { all_redacted_messages: [{ content: 'ada' }] },
    },
  ])('reports an error if the response does not state a valid action: %j', (answer) =>
    testGuardrail(analyze, [{ ...saying(answer), verdict: 'error' }]),
  );
});
