import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { f5Stub } from '../../../support/partners/f5-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const id = 'f5-guardrails.scan';
const credentials = { apiKey: partnerKey };
const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;

const saying = (outcome: string, redact = false, more: JsonObject = {}) => ({
  parameters: { redact, credentials },
  text: 'ada',
  service: () => ({ status: 200, headers: [], text: JSON.stringify({ result: { outcome }, ...more }) }),
});

describe(id, () => {
  it('sends the text, and the project if one is set', async () => {
    const { service, requests } = checkService(f5Stub);
    const spans = [piece('One.'), piece('Two.')];
    await testGuardrail(toGuardrail(id), [
      { parameters: { projectId: 'project-1', credentials }, spans, service, verdict: 'pass' },
      { parameters: { credentials }, text: 'Three.', service, verdict: 'pass', data: { outcome: 'cleared' } },
    ]);
    const bodies = new Set(requests.map(({ body }) => body));
    expect([...bodies].map((body) => JSON.parse(body ?? ''))).toEqual([
      { input: 'One.\nTwo.', project: 'project-1' },
      { input: 'Three.' },
    ]);
  });

  it('replaces each piece with the text that the scanners return', () => {
    const { service } = checkService(f5Stub);
    return testGuardrail(toGuardrail(id), [
      {
        parameters: { redact: true, credentials },
        spans: [piece('Hi.'), piece(' '), piece('To ada@example.com, please.')],
        service,
        verdict: 'pass',
        data: { outcome: 'redacted' },
        replaced: ['Hi.', ' ', 'To [EMAIL], please.'],
      },
      { parameters: { credentials }, text: 'ada@example.com', service, verdict: 'fail', data: { outcome: 'redacted' } },
    ]);
  });

  it('fails a text that the scanners flag or block, whatever else they redact', () => {
    const { service } = checkService(f5Stub);
    const spans = [piece('To ada@example.com.'), piece('plutonium')];
    return testGuardrail(toGuardrail(id), [
      { parameters: { redact: true, credentials }, spans, service, verdict: 'fail', data: { outcome: 'flagged' } },
      { ...saying('flagged'), verdict: 'fail' },
      { ...saying('blocked'), verdict: 'fail' },
      { ...saying('flagged', true, { redactedInput: 'x' }), verdict: 'fail', replaced: ['ada'] },
      { ...saying('blocked', true, { redactedInput: 'x' }), verdict: 'fail', replaced: ['ada'] },
    ]);
  });

  it('reports an error for an undocumented outcome, and for an invalid redaction', () =>
    testGuardrail(toGuardrail(id), [
      { ...saying('allowed'), verdict: 'error' },
      { ...saying(''), verdict: 'error' },
      { ...saying('redacted', true), verdict: 'error' },
      { ...saying('redacted', true, { redactedInput: '' }), verdict: 'error' },
      { ...saying('redacted', true, { redactedInput: 'ada' }), verdict: 'error' },
      { ...saying('redacted', true, { redactedInput: null }), verdict: 'error' },
    ]));

  it.each([false, true])('finds content at the end of a long text, with redact %s', (redact) => {
    const { service, requests } = checkService(f5Stub);
    return testGuardrail(toGuardrail(id), [
      { parameters: { redact, credentials }, text: `${'a '.repeat(9000)}plutonium`, service, verdict: 'fail' },
    ]).then(() => expect(new Set(requests.map(({ body }) => body)).size).toBe(2));
  });

  it('uses the base URL in its credentials, unless the parameters have another one', async () => {
    const urls: string[] = [];
    const given = {
      text: 'x',
      verdict: 'error',
      service: ({ url }: { readonly url: string }) => {
        urls.push(url);
        return { status: 500, headers: [], text: '' };
      },
    } as const;
    const own = { ...credentials, calypsoUrl: 'https://scans.example/' };
    await testGuardrail(toGuardrail(id), [
      { ...given, parameters: { credentials: own } },
      { ...given, parameters: { credentials: own, baseUrl: 'https://proxy.example' } },
      { parameters: { credentials: { ...credentials, calypsoUrl: 'http://proxy.example' } }, verdict: 'refused' },
    ]);
    expect([...new Set(urls)]).toEqual([
      'https://scans.example/backend/v1/scans',
      'https://proxy.example/backend/v1/scans',
    ]);
  });
});
