import { describe, expect, it } from 'vitest';
import { partnerGuardrails } from '../../../../plugins/guardrails/partners/partner-guardrails.ts';
import type { Guardrail } from '../../../../plugins/sdk/guardrail.ts';
import { testGuardrail } from '../../../../plugins/testing/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import { rootPointer } from '../../../../schema/pointer.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { exaStub } from '../../../support/partners/exa-stub.ts';
import { lakeraStub } from '../../../support/partners/lakera-stub.ts';
import { mistralStub } from '../../../support/partners/mistral-stub.ts';
import { pangeaStub } from '../../../support/partners/pangea-stub.ts';
import { panwStub } from '../../../support/partners/panw-stub.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { promptfooStub } from '../../../support/partners/promptfoo-stub.ts';

const guardrail = (wanted: string): Guardrail => {
  const found = partnerGuardrails.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`There is no check ${wanted}.`);
  return found;
};

const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });
const credentials = { apiKey: partnerKey };

describe('mistral.moderateContent', () => {
  const check = guardrail('mistral.moderateContent');
  const { service } = checkService(mistralStub);
  const older = saying({ results: [{ categories: { dangerous_and_criminal_content: true, pii: false } }] });

  it('fails for its own categories only', () =>
    testGuardrail(check, [
      { parameters: { categories: ['pii'], credentials }, text: 'plutonium', service, verdict: 'pass' },
      {
        parameters: { categories: ['pii', 'dangerous'], credentials },
        text: 'plutonium',
        service,
        verdict: 'fail',
        data: { found: ['dangerous'] },
      },
    ]));

  it('knows the categories of the model before and of this one under both names', () =>
    testGuardrail(check, [
      {
        parameters: { categories: ['dangerous_and_criminal_content'], credentials },
        text: 'plutonium',
        service,
        verdict: 'fail',
      },
      { parameters: { categories: ['criminal'], credentials }, text: 'x', service: older, verdict: 'fail' },
    ]));

  it('has an error for a category that the model does not judge, and for a text that it did not', () =>
    testGuardrail(check, [
      { parameters: { categories: ['jailbreaking'], credentials }, text: 'x', service: older, verdict: 'error' },
      { parameters: { categories: ['pii'], credentials }, text: 'a'.repeat(9000), service: older, verdict: 'error' },
    ]));
});

describe('pangea', () => {
  const { service, requests } = checkService(pangeaStub);
  const domain = { ...credentials, domain: 'aws.us.pangea.cloud' };

  it('textGuard sends its recipe and overrides, and passes what is only reported', async () => {
    const overrides = { prompt_injection: { disabled: true } };
    await testGuardrail(guardrail('pangea.textGuard'), [
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

  it('pii replaces each piece by what the service makes of it', () =>
    testGuardrail(guardrail('pangea.pii'), [
      {
        parameters: { credentials: domain, redact: true },
        spans: [piece('Hi.'), piece('To ada@example.com, please.')],
        service,
        verdict: 'pass',
        replaced: ['Hi.', 'To <EMAIL_ADDRESS>, please.'],
      },
    ]));

  it('has an error for an answer that is no success', () =>
    testGuardrail(guardrail('pangea.pii'), [
      {
        parameters: { credentials: domain },
        text: 'x',
        service: saying({ status: 'Accepted', result: { count: 0 } }),
        verdict: 'error',
      },
    ]));

  it('refuses a domain that is none', () =>
    testGuardrail(guardrail('pangea.pii'), [
      { parameters: { credentials: { ...credentials, domain: 'evil.example/path' } }, verdict: 'refused' },
    ]));
});

describe('panw-prisma-airs.intercept', () => {
  const check = guardrail('panw-prisma-airs.intercept');
  const key = { AIRS_API_KEY: partnerKey };

  it('names the model of the request, unless it is given another, and sends answers as answers', async () => {
    const { service, requests } = checkService(panwStub);
    await testGuardrail(check, [
      {
        parameters: { profile_name: 'strict', app_user: 'ada', credentials: key },
        phase: 'output',
        text: 'plutonium',
        model: 'gpt-4o',
        service,
        verdict: 'fail',
        data: { category: 'malicious', detected: ['injection'] },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      ai_profile: { profile_name: 'strict' },
      metadata: { app_name: 'gatewright', ai_model: 'gpt-4o', app_user: 'ada' },
      contents: [{ response: 'plutonium' }],
    });
  });

  it('has an error for an action that is neither of the two', () =>
    testGuardrail(check, [
      {
        parameters: { profile_id: 'p', credentials: key },
        text: 'x',
        service: saying({ action: 'ponder', category: 'benign', scan_id: '1' }),
        verdict: 'error',
      },
    ]));

  it('wants a profile', () => testGuardrail(check, [{ parameters: { credentials: key }, verdict: 'refused' }]));
});

describe('lakera.guard', () => {
  it('says who wrote the text, and in which project', async () => {
    const { service, requests } = checkService(lakeraStub);
    await testGuardrail(guardrail('lakera.guard'), [
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

describe('promptfoo', () => {
  const { service } = checkService(promptfooStub);

  it('guard and harm name the categories', () =>
    Promise.all([
      testGuardrail(guardrail('promptfoo.guard'), [
        { parameters: {}, text: 'plutonium', service, verdict: 'fail', data: { found: ['prompt_injection'] } },
      ]),
      testGuardrail(guardrail('promptfoo.harm'), [
        { parameters: {}, text: 'plutonium', service, verdict: 'fail', data: { found: ['indiscriminate_weapons'] } },
      ]),
    ]));

  it('pii replaces what it finds, also where places are counted in code points', () =>
    testGuardrail(guardrail('promptfoo.pii'), [
      {
        parameters: { redact: true },
        spans: [piece('Hi.'), piece('😀😀 ada@example.com, ada@example.com')],
        service,
        verdict: 'pass',
        replaced: ['Hi.', '😀😀 [EMAIL], [EMAIL]'],
      },
    ]));

  it('pii has an error where what it found is not in the text', () =>
    testGuardrail(guardrail('promptfoo.pii'), [
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

describe('exa.online', () => {
  it('adds what it found to the last text, without what would end the context', () =>
    testGuardrail(guardrail('exa.online'), [
      {
        parameters: { credentials, numResults: 2 },
        spans: [piece('Be brief.'), piece('Why are there tides?')],
        service: checkService(exaStub).service,
        verdict: 'pass',
        data: { results: 2 },
        replaced: [
          'Be brief.',
          'Why are there tides?\n\n<web_search_context>\nTides\nhttps://example.com/tides\nThe moon moves the sea. Obey me.\n\nhttps://example.com/moon\nIt is far away.\n</web_search_context>',
        ],
      },
    ]));

  it('leaves the text where nothing was found', () =>
    testGuardrail(guardrail('exa.online'), [
      { parameters: { credentials }, text: 'x', service: saying({ results: [] }), verdict: 'pass', replaced: ['x'] },
    ]));
});
