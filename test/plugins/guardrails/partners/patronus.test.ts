import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { patronusStub } from '../../../support/partners/patronus-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const credentials = { apiKey: partnerKey };
const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;

/** Returns a service that responds with this result to any text. */
const saying =
  (result: object | null, status = 'success') =>
  () => ({
    status: 200,
    headers: [],
    text: JSON.stringify({ results: [{ status, error_message: null, evaluation_result: result }] }),
  });

const asked = async (id: string, given: object = {}): Promise<unknown> => {
  const { service, requests } = checkService(patronusStub);
  await testGuardrail(toGuardrail(id), [
    { parameters: { credentials, ...given }, requestText: 'Who?', text: 'Me.', service, verdict: 'pass' },
  ]);
  return JSON.parse(requests[0]?.body ?? '');
};

const evaluator = (name: string, criteria?: string) => ({
  evaluators: [{ evaluator: name, ...(criteria !== undefined && { criteria }), explain_strategy: 'never' }],
});

describe('patronus', () => {
  it.each([
    ['isConcise', 'patronus:is-concise'],
    ['isHelpful', 'patronus:is-helpful'],
    ['isPolite', 'patronus:is-polite'],
    ['noApologies', 'patronus:no-apologies'],
    ['noGenderBias', 'patronus:no-gender-bias'],
    ['noRacialBias', 'patronus:no-racial-bias'],
  ])('%s calls the judge with the criteria %s', async (name, criteria) => {
    expect(await asked(`patronus.${name}`)).toEqual({
      ...evaluator('judge', criteria),
      evaluated_model_output: 'Me.',
      evaluated_model_input: 'Who?',
    });
  });

  it.each([
    ['is-on-brand', 'judge', 'is-on-brand'],
    ['glider:is-on-brand', 'glider', 'is-on-brand'],
    ['judge:patronus:is-code', 'judge', 'patronus:is-code'],
    ['patronus:is-code', 'judge', 'patronus:is-code'],
  ])('custom reads the profile %s', async (profile, name, criteria) => {
    const { service, requests } = checkService({
      ...patronusStub,
      answer: () => ({ status: 200, body: { results: [{ status: 'success', evaluation_result: { pass: true } }] } }),
    });
    await testGuardrail(toGuardrail('patronus.custom'), [
      { parameters: { profile, credentials }, text: 'Me.', service, verdict: 'pass' },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      ...evaluator(name, criteria),
      evaluated_model_output: 'Me.',
    });
  });

  it.each(['', ':is-on-brand', 'judge:'])('custom rejects the profile "%s"', (profile) =>
    testGuardrail(toGuardrail('patronus.custom'), [{ parameters: { profile, credentials }, verdict: 'refused' }]),
  );

  it('sends an answer with its question, and with the whole request as context', async () => {
    expect(await asked('patronus.retrievalAnswerRelevance')).toEqual({
      ...evaluator('answer-relevance'),
      evaluated_model_output: 'Me.',
      evaluated_model_input: 'Who?',
    });
    expect(await asked('patronus.retrievalHallucination')).toEqual({
      ...evaluator('hallucination'),
      evaluated_model_output: 'Me.',
      evaluated_model_input: 'Who?',
      evaluated_model_retrieved_context: ['Who?'],
    });
  });

  it.each(['patronus.retrievalAnswerRelevance', 'patronus.retrievalHallucination'])(
    '%s reports an error if the request has no text',
    (id) =>
      testGuardrail(toGuardrail(id), [
        { parameters: { credentials }, text: 'Me.', service: saying({ pass: true }), verdict: 'error' },
      ]),
  );

  it.each(['patronus.pii', 'patronus.phi'])('%s replaces its findings in each piece', (id) => {
    const { service } = checkService(patronusStub);
    const kind = id === 'patronus.pii' ? '[PII]' : '[PHI]';
    return testGuardrail(toGuardrail(id), [
      {
        parameters: { redact: true, credentials },
        spans: [piece('To ada@example.com, please.'), piece('No.'), piece('ada@example.com')],
        service,
        verdict: 'pass',
        replaced: [`To ${kind}, please.`, 'No.', kind],
      },
    ]);
  });

  it('pii replaces the right text if positions in code points and UTF-16 units differ', () => {
    const { service } = checkService(patronusStub);
    const units = saying({ pass: false, additional_info: { positions: [[3, 18]] } });
    const parameters = { redact: true, credentials };
    return testGuardrail(toGuardrail('patronus.pii'), [
      { parameters, text: '😀 ada@example.com.', service, verdict: 'pass', replaced: ['😀[PII].'] },
      { parameters, text: '😀 ada@example.com.', service: units, verdict: 'pass', replaced: ['😀 [PII]'] },
    ]);
  });

  it('pii finds data once if two parts of a long text contain it', () => {
    const { service, requests } = checkService(patronusStub);
    const text = `${'a '.repeat(3950)}ada@example.com ${'b '.repeat(500)}`;
    return testGuardrail(toGuardrail('patronus.pii'), [
      {
        parameters: { redact: true, credentials },
        text,
        service,
        verdict: 'pass',
        data: { counts: { 'personal data': 1 } },
        replaced: [text.replace('ada@example.com', '[PII]')],
      },
    ]).then(() => expect(new Set(requests.map(({ body }) => body)).size).toBe(2));
  });

  it.each([
    ['no positions', {}],
    ['an empty list of positions', { positions: [] }],
    ['positions outside the text', { positions: [[0, 99]] }],
    ['positions that end before they begin', { positions: [[2, 1]] }],
    ['positions of another type', { positions: [['0', '1']] }],
    ['positions without an end', { positions: [[0]] }],
  ])('pii reports an error if it should replace its findings but receives %s', (_what, info) =>
    testGuardrail(toGuardrail('patronus.pii'), [
      {
        parameters: { redact: true, credentials },
        text: 'ada',
        service: saying({ pass: false, additional_info: info }),
        verdict: 'error',
      },
    ]),
  );

  it('reports an error if the evaluator returned no result, or one without a verdict', () =>
    testGuardrail(toGuardrail('patronus.toxicity'), [
      { parameters: { credentials }, text: 'x', service: saying(null, 'failed'), verdict: 'error' },
      { parameters: { credentials }, text: 'x', service: saying({ pass: true }, 'failed'), verdict: 'error' },
      { parameters: { credentials }, text: 'x', service: saying({ pass: null }), verdict: 'error' },
      { parameters: { credentials }, text: 'x', service: saying(null), verdict: 'error' },
    ]));

  it('toxicity finds content at the end of a long text', () => {
    const { service, requests } = checkService(patronusStub);
    return testGuardrail(toGuardrail('patronus.toxicity'), [
      { parameters: { credentials }, text: `${'a '.repeat(1500)}plutonium`, service, verdict: 'fail' },
    ]).then(() => expect(new Set(requests.map(({ body }) => body)).size).toBe(2));
  });
});
