import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { promptsecurityStub } from '../../../support/partners/promptsecurity-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const credentials = { apiDomain: 'eu.prompt.security', apiKey: partnerKey };
const parameters = { credentials };
const saying = (result: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify({ result }) });

describe('the checks of Prompt Security', () => {
  it.each([
    ['protectPrompt', 'input', 'prompt'],
    ['protectResponse', 'output', 'response'],
  ] as const)(
    'send with %s the text of the %s, and report which scanners found something',
    async (name, phase, member) => {
      const { service, requests } = checkService(promptsecurityStub);
      await testGuardrail(toGuardrail(`promptsecurity.${name}`), [
        { parameters, phase, text: 'plutonium', service, verdict: 'fail', data: { violations: ['Harmful Content'] } },
      ]);
      expect(requests[0]?.url).toBe('https://eu.prompt.security/api/protect');
      expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ [member]: 'plutonium' });
    },
  );

  it.each<[string, JsonObject, 'pass' | 'fail' | 'error']>([
    ['is logged', { prompt: { action: 'log' } }, 'pass'],
    ['is allowed', { prompt: { action: 'allow', passed: true } }, 'pass'],
    ['is blocked', { prompt: { action: 'block' } }, 'fail'],
    ['would have to be modified', { prompt: { action: 'modify', modified_text: 'y' } }, 'fail'],
    ['is logged but did not pass', { prompt: { action: 'log', passed: false } }, 'fail'],
    ['is blocked by the overall action', { action: 'block', prompt: { action: 'log' } }, 'fail'],
    ['has an unknown action', { prompt: { action: 'ask' } }, 'error'],
    ['has no action', { prompt: { passed: true } }, 'error'],
    ['has a "passed" that is not a boolean', { prompt: { action: 'log', passed: 'yes' } }, 'error'],
    ['is missing from the response', { response: { action: 'log' } }, 'error'],
  ])('return a verdict on a text that %s', (_what, result, verdict) =>
    testGuardrail(toGuardrail('promptsecurity.protectPrompt'), [
      { parameters, text: 'x', service: saying(result), verdict },
    ]),
  );

  it('reject credentials without a domain or with an invalid one', () =>
    testGuardrail(toGuardrail('promptsecurity.protectPrompt'), [
      { parameters: { credentials: { apiKey: partnerKey } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, apiDomain: 'evil.example/path' } }, verdict: 'refused' },
    ]));
});
