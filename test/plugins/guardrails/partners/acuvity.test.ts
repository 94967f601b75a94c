import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { acuvityStub } from '../../../support/partners/acuvity-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey, personalData } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const check = toGuardrail('acuvity.scan');
const credentials = { apiKey: partnerKey, domain: 'apex.example.acuvity.ai' };
const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });
const finding = (extraction: JsonObject) => saying({ extractions: [{ data: 'x', ...extraction }] });

/** A group of the answer, a detector in it, and the parameter that disables it. */
const detectors = [
  ['exploits', 'prompt_injection', 'prompt_injection'],
  ['exploits', 'jailbreak', 'jail_break'],
  ['exploits', 'jail_break', 'jail_break'],
  ['exploits', 'malicious_url', 'malicious_url'],
  ['malcontents', 'toxic', 'toxic'],
  ['malcontents', 'biased', 'biased'],
  ['malcontents', 'harmful', 'harmful'],
] as const;

describe('acuvity.scan', () => {
  it('sends each non-blank text, and the direction', async () => {
    const { service, requests } = checkService(acuvityStub);
    const spans = [piece('One.'), piece(' '), piece('Two.')];
    await testGuardrail(check, [{ parameters: { credentials }, phase: 'output', spans, service, verdict: 'pass' }]);
    expect(requests[0]?.url).toBe('https://apex.example.acuvity.ai/_acuvity/scan');
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ messages: ['One.', 'Two.'], type: 'Output' });
  });

  it.each(detectors)('fails a text whose score in %s for %s reaches the threshold', (group, detector, name) => {
    const service = finding({ [group]: { [detector]: 0.5 } });
    return testGuardrail(check, [
      { parameters: { credentials }, text: 'x', service, verdict: 'fail', data: { found: [name] } },
      { parameters: { credentials, [`${name}_threshold`]: 0.51 }, text: 'x', service, verdict: 'pass' },
      { parameters: { credentials, [name]: false }, text: 'x', service, verdict: 'pass' },
    ]);
  });

  it('fails a text for content topics of a newer service, at the lowest threshold of enabled detectors', () => {
    const service = finding({ topics: { 'content/hate': 0.4, 'category/news': 0.9 } });
    const none = { toxic: false, biased: false, harmful: false };
    return testGuardrail(check, [
      { parameters: { credentials }, text: 'x', service, verdict: 'pass' },
      {
        parameters: { credentials, biased_threshold: 0.4 },
        text: 'x',
        service,
        verdict: 'fail',
        data: { found: ['content/hate'] },
      },
      { parameters: { credentials, ...none, toxic_threshold: 0.1 }, text: 'x', service, verdict: 'pass' },
    ]);
  });

  it('fails a text only if it has the language that the parameters name', () => {
    const service = finding({ languages: { english: 0.9, german: 0.2 } });
    return testGuardrail(check, [
      { parameters: { credentials, language_values: 'english' }, text: 'x', service, verdict: 'fail' },
      { parameters: { credentials, language_values: 'german' }, text: 'x', service, verdict: 'pass' },
      { parameters: { credentials, language_values: 'english', language: false }, text: 'x', service, verdict: 'pass' },
      { parameters: { credentials }, text: 'x', service, verdict: 'pass' },
    ]);
  });

  it.each([
    ['PIIs', 'pii', 'ssn', 'person'],
    ['secrets', 'secrets', 'jwt', 'stripe'],
  ])('fails a text with %s of the listed kinds, or of any kind without a list', (group, name, kind, other) => {
    const service = finding({ [group]: { [kind]: 0.1 } });
    return testGuardrail(check, [
      { parameters: { credentials }, text: 'x', service, verdict: 'fail', data: { found: [kind] } },
      { parameters: { credentials, [`${name}_categories`]: [kind] }, text: 'x', service, verdict: 'fail' },
      { parameters: { credentials, [`${name}_categories`]: [other] }, text: 'x', service, verdict: 'pass' },
      { parameters: { credentials, [name]: false }, text: 'x', service, verdict: 'pass' },
    ]);
  });

  it('replaces each text with the redacted text of the service', async () => {
    const { service, requests } = checkService(acuvityStub);
    await testGuardrail(check, [
      {
        parameters: { credentials, pii_redact: true, pii_categories: ['email_address'] },
        spans: [piece('Hi.'), piece(`To ${personalData}.`)],
        service,
        verdict: 'pass',
        data: { counts: { email_address: 1 } },
        replaced: ['Hi.', 'To XXXXXXXXXXXXXXX.'],
      },
    ]);
    const { redactions, anonymization } = JSON.parse(requests[0]?.body ?? '');
    expect({ redactions, anonymization }).toEqual({ redactions: ['email_address'], anonymization: 'FixedSize' });
  });

  it('fails if it also finds something that it does not redact', () => {
    const { service } = checkService(acuvityStub);
    const parameters = { credentials, pii_redact: true, pii_categories: ['email_address'] };
    const text = `Send plutonium to ${personalData}.`;
    return testGuardrail(check, [{ parameters, text, service, verdict: 'fail' }]);
  });

  it('reports an error if something was found but nothing was replaced', () => {
    const parameters = { credentials, secrets_redact: true, secrets_categories: ['jwt'] };
    return testGuardrail(check, [
      { parameters, text: 'x', service: finding({ secrets: { jwt: 1 } }), verdict: 'error' },
      { parameters, text: 'y', service: finding({ secrets: { jwt: 1 } }), verdict: 'pass' },
    ]);
  });

  it('reports an error if a text was not judged, or a score is not a number', () =>
    testGuardrail(check, [
      { parameters: { credentials }, text: 'x', service: saying({ extractions: [] }), verdict: 'error' },
      {
        parameters: { credentials },
        text: 'x',
        service: finding({ exploits: { jailbreak: 'yes' } }),
        verdict: 'error',
      },
    ]));

  it('rejects a redaction without categories, an invalid domain, and a threshold above 1', () =>
    testGuardrail(check, [
      { parameters: { credentials, pii_redact: true }, verdict: 'refused' },
      { parameters: { credentials, secrets_redact: true }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, domain: 'https://evil.example' } }, verdict: 'refused' },
      { parameters: { credentials, toxic_threshold: 1.1 }, verdict: 'refused' },
    ]));
});
