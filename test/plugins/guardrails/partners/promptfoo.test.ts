import { describe, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { promptfooStub } from '../../../support/partners/promptfoo-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });

describe('promptfoo', () => {
  const { service } = checkService(promptfooStub);

  it('guard and harm name the categories', () =>
    Promise.all([
      testGuardrail(toGuardrail('promptfoo.guard'), [
        { parameters: {}, text: 'plutonium', service, verdict: 'fail', data: { found: ['prompt_injection'] } },
      ]),
      testGuardrail(toGuardrail('promptfoo.harm'), [
        { parameters: {}, text: 'plutonium', service, verdict: 'fail', data: { found: ['indiscriminate_weapons'] } },
      ]),
    ]));

  it('pii replaces its findings, even if positions count code points', () =>
    testGuardrail(toGuardrail('promptfoo.pii'), [
      {
        parameters: { redact: true },
        spans: [piece('Hi.'), piece('😀😀 ada@example.com, ada@example.com')],
        service,
        verdict: 'pass',
        replaced: ['Hi.', '😀😀 [EMAIL], [EMAIL]'],
      },
    ]));

  it('pii fails without redact if its findings are missing or not in the text', () =>
    testGuardrail(toGuardrail('promptfoo.pii'), [
      ...[[{ entity_type: 'EMAIL', start: 0, end: 3, pii: 'x@y' }], []].map((pii) => ({
        parameters: {},
        text: 'Hi.',
        service: saying({ results: [{ flagged: true, payload: { pii } }] }),
        verdict: 'fail' as const,
      })),
      {
        parameters: { redact: true },
        text: 'Hi.',
        service: saying({ results: [{ flagged: true, payload: { pii: [] } }] }),
        verdict: 'error',
      },
    ]));

  it('pii reports an error if it should redact a finding that is not in the text', () =>
    testGuardrail(toGuardrail('promptfoo.pii'), [
      {
        parameters: { redact: true },
        text: 'Hi.',
        service: saying({
          results: [{ flagged: true, payload: { pii: [{ entity_type: 'EMAIL', start: 0, end: 3, pii: 'x@y' }] } }],
        }),
        verdict: 'error',
      },
    ]));
});
