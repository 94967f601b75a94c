import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { pangeaStub } from '../../../support/partners/pangea-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });
const credentials = { apiKey: partnerKey };

describe('pangea', () => {
  const { service, requests } = checkService(pangeaStub);
  const domain = { ...credentials, domain: 'aws.us.pangea.cloud' };

  it('textGuard sends its recipe and overrides, and passes a text if findings are only reported', async () => {
    const overrides = { prompt_injection: { disabled: true } };
    await testGuardrail(toGuardrail('pangea.textGuard'), [
      {
        parameters: { credentials: domain, recipe: 'strict', overrides },
        text: 'ada@example.com',
        service,
        verdict: 'pass',
        data: { detected: ['pii_entity'] },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      text: 'ada@example.com',
      recipe: 'strict',
      debug: false,
      overrides,
    });
  });

  it('pii replaces each piece with the text that the service returns', () =>
    testGuardrail(toGuardrail('pangea.pii'), [
      {
        parameters: { credentials: domain, redact: true },
        spans: [piece('Hi.'), piece('To ada@example.com, please.')],
        service,
        verdict: 'pass',
        replaced: ['Hi.', 'To <EMAIL_ADDRESS>, please.'],
      },
    ]));

  it('pii reports an error if something was found but nothing was replaced', () =>
    testGuardrail(toGuardrail('pangea.pii'), [
      {
        parameters: { credentials: domain, redact: true },
        text: 'ada',
        service: saying({ status: 'Success', result: { count: 1, redacted_text: 'ada' } }),
        verdict: 'error',
      },
    ]));

  it('reports an error for an answer that is not a success', () =>
    testGuardrail(toGuardrail('pangea.pii'), [
      {
        parameters: { credentials: domain },
        text: 'x',
        service: saying({ status: 'Accepted', result: { count: 0 } }),
        verdict: 'error',
      },
    ]));

  it('reports an error for an invalid count, which other counts could offset', () =>
    testGuardrail(toGuardrail('pangea.pii'), [
      {
        parameters: { credentials: domain },
        text: 'x',
        service: saying({ status: 'Success', result: { count: -1 } }),
        verdict: 'error',
      },
    ]));

  it('rejects an invalid domain', () =>
    testGuardrail(toGuardrail('pangea.pii'), [
      { parameters: { credentials: { ...credentials, domain: 'evil.example/path' } }, verdict: 'refused' },
    ]));
});
