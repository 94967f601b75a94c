import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { azureStub } from '../../../support/partners/azure-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const credentials = { apiKey: partnerKey, resourceName: 'contoso' };
const piece = (text: string, kind: 'text' | 'tool-result' = 'text') => ({ at: rootPointer, text, kind });

describe('azure.contentSafety', () => {
  const { service, requests } = checkService(azureStub);

  it('fails a text at its severity, in its categories', () =>
    testGuardrail(toGuardrail('azure.contentSafety'), [
      {
        parameters: { credentials, severity: 4 },
        text: 'plutonium',
        service,
        verdict: 'fail',
        data: { found: ['Violence'] },
      },
      { parameters: { credentials, severity: 6 }, text: 'plutonium', service, verdict: 'pass' },
      { parameters: { credentials, categories: ['Hate'] }, text: 'plutonium', service, verdict: 'pass' },
    ]));

  it('fails a text that matches an item of a blocklist', () =>
    testGuardrail(toGuardrail('azure.contentSafety'), [
      {
        parameters: { credentials, blocklistNames: ['rivals'] },
        text: 'Acme',
        service: () => ({
          status: 200,
          headers: [],
          text: '{"blocklistsMatch":[{"blocklistName":"rivals","blocklistItemId":"1","blocklistItemText":"Acme"}],"categoriesAnalysis":[]}',
        }),
        verdict: 'fail',
        data: { found: ['an item of the blocklist "rivals"'] },
      },
    ]));

  it('reports an error if a category or a blocklist was not judged', () =>
    testGuardrail(toGuardrail('azure.contentSafety'), [
      ...[
        { blocklistsMatch: [], categoriesAnalysis: [] },
        { blocklistsMatch: [], categoriesAnalysis: [{ category: 'Hate', severity: -2 }] },
        { categoriesAnalysis: [{ category: 'Hate', severity: 0 }] },
      ].map((body) => ({
        parameters: { credentials, categories: ['Hate'], blocklistNames: ['rivals'] },
        text: 'Acme',
        service: () => ({ status: 200, headers: [], text: JSON.stringify(body) }),
        verdict: 'error' as const,
      })),
    ]));

  it('judges a text of more than 10,000 characters in pieces', async () => {
    requests.length = 0;
    const text = `${'word '.repeat(3000)}plutonium`;
    await testGuardrail(toGuardrail('azure.contentSafety'), [
      { parameters: { credentials }, text, service, verdict: 'fail' },
    ]);
    // The kit judges each case twice.
    const texts = requests.slice(0, 2).map(({ body = '' }) => (JSON.parse(body) as { readonly text: string }).text);
    const [first = '', second = ''] = texts;
    // The second begins with the last 200 characters of the first.
    expect(first.slice(0, -200) + second).toBe(text);
  });

  it('reports an error for a text that is too long to be judged', () =>
    testGuardrail(toGuardrail('azure.contentSafety'), [
      { parameters: { credentials }, text: 'a'.repeat(160_001), service, verdict: 'error' },
    ]));

  it('rejects a missing or invalid resource name, severity or category', () =>
    testGuardrail(toGuardrail('azure.contentSafety'), [
      { parameters: { credentials: { apiKey: 'k' } }, verdict: 'refused' },
      { parameters: { credentials: { apiKey: 'k', resourceName: 'evil.example/' } }, verdict: 'refused' },
      { parameters: { credentials: { apiKey: 'k', resourceName: 'contoso' }, severity: 8 }, verdict: 'refused' },
      {
        parameters: { credentials: { apiKey: 'k', resourceName: 'contoso' }, categories: ['Rude'] },
        verdict: 'refused',
      },
    ]));
});

describe('azure.shieldPrompt', () => {
  const { service } = checkService(azureStub);
  const parameters = { credentials };

  it('distinguishes an attack in the result of a tool from one in the prompt', () =>
    testGuardrail(toGuardrail('azure.shieldPrompt'), [
      {
        parameters,
        spans: [piece('What does the page say?'), piece('Obey: plutonium', 'tool-result')],
        service,
        verdict: 'fail',
        data: { found: ['an attack in the result of a tool'] },
      },
      {
        parameters,
        spans: [piece('plutonium'), piece('Nothing.', 'tool-result')],
        service,
        verdict: 'fail',
        data: { found: ['an attack in the prompt'] },
      },
      { parameters, spans: [piece('Hello'), piece('Nothing.', 'tool-result')], service, verdict: 'pass' },
    ]));

  it('reports an error if the documents were not analysed', () =>
    testGuardrail(toGuardrail('azure.shieldPrompt'), [
      {
        parameters,
        spans: [piece('Nothing.', 'tool-result')],
        service: () => ({ status: 200, headers: [], text: '{"userPromptAnalysis":{"attackDetected":false}}' }),
        verdict: 'error',
      },
      {
        parameters,
        spans: [piece('Nothing.', 'tool-result')],
        service: () => ({ status: 200, headers: [], text: '{"documentsAnalysis":[]}' }),
        verdict: 'error',
      },
    ]));
});

describe('azure.pii', () => {
  const { service, requests } = checkService(azureStub);
  const parameters = { credentials, redact: true };

  it('replaces findings in every piece, whatever characters precede them', () =>
    testGuardrail(toGuardrail('azure.pii'), [
      {
        parameters,
        spans: [piece('Hi.'), piece('😀 ada@example.com, again: ada@example.com!'), piece('')],
        service,
        verdict: 'pass',
        data: { counts: { Email: 2 } },
        replaced: ['Hi.', '😀 [EMAIL], again: [EMAIL]!', ''],
      },
    ]));

  it('finds data in every part of a long piece, with five documents per request', async () => {
    requests.length = 0;
    const part = `${'word '.repeat(1000)}ada@example.com `;
    await testGuardrail(toGuardrail('azure.pii'), [
      {
        parameters,
        text: part.repeat(7),
        service,
        verdict: 'pass',
        replaced: [part.replace('ada@example.com', '[EMAIL]').repeat(7)],
      },
    ]);
    const counts = requests.map(
      ({ body = '' }) =>
        (JSON.parse(body) as { readonly analysisInput: { readonly documents: readonly unknown[] } }).analysisInput
          .documents.length,
    );
    expect(Math.max(...counts)).toBe(5);
  });

  it('counts data once if two parts contain it', () => {
    const text = `${'word '.repeat(1015)}ada@example.com, ${'word '.repeat(50)}`;
    return testGuardrail(toGuardrail('azure.pii'), [
      {
        ...{ parameters, text, service, verdict: 'pass', data: { counts: { Email: 1 } } },
        replaced: [text.replace('ada@example.com', '[EMAIL]')],
      },
    ]);
  });

  it('reports an error if a document was not analysed', () =>
    testGuardrail(toGuardrail('azure.pii'), [
      {
        parameters,
        text: 'Hi.',
        service: () => ({
          status: 200,
          headers: [],
          text: '{"results":{"documents":[],"errors":[{"id":"0","error":{"code":"InvalidArgument"}}]}}',
        }),
        verdict: 'error',
      },
    ]));

  it('searches for a finding with a wrong offset, and reports an error if the text lacks it', () => {
    const found = (text: string, offset: number) => () => ({
      status: 200,
      headers: [],
      text: JSON.stringify({
        results: { documents: [{ id: '0', entities: [{ category: 'Email', text, offset, length: 15 }] }], errors: [] },
      }),
    });
    return testGuardrail(toGuardrail('azure.pii'), [
      {
        parameters,
        text: 'To ada@example.com.',
        service: found('ada@example.com', -7),
        verdict: 'pass',
        replaced: ['To [EMAIL].'],
      },
      { parameters, text: 'To ada@example.com.', service: found('bob@example.com', 3), verdict: 'error' },
    ]);
  });

  it('replaces overlapping findings once', () =>
    testGuardrail(toGuardrail('azure.pii'), [
      {
        parameters,
        text: 'ada@example.com',
        service: () => ({
          status: 200,
          headers: [],
          text: '{"results":{"documents":[{"id":"0","entities":[{"category":"Person","text":"ada","offset":0,"length":3},{"category":"Email","text":"ada@example.com","offset":0,"length":15}]}],"errors":[]}}',
        }),
        verdict: 'pass',
        replaced: ['[EMAIL]'],
      },
    ]));
});
