import { describe, expect, it } from 'vitest';
import { askedText } from '../../../../plugins/guardrails/partners/qualifire/asked-text.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { qualifireStub } from '../../../support/partners/qualifire-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const parameters = { credentials: { apiKey: partnerKey } };
const saying = (body: JsonObject) => () => ({ status: 200, headers: [], text: JSON.stringify(body) });
const evaluated = (flagged: unknown) => [{ type: 'pii', results: [{ flagged } as JsonObject] }];
const request = {
  messages: [
    { role: 'system', content: 'The moon is made of rock.' },
    { role: 'user', content: [{ type: 'text', text: 'What is it made of?' }] },
  ],
};
const asked = 'The moon is made of rock.\nWhat is it made of?';

const bodyOf = async (name: string, phase: 'input' | 'output', more: JsonObject = {}): Promise<JsonObject> => {
  const { service, requests } = checkService(qualifireStub);
  await testGuardrail(toGuardrail(`qualifire.${name}`), [
    { parameters: { ...parameters, ...more }, phase, text: 'moon', request, service, verdict: 'pass' },
  ]);
  return JSON.parse(requests[0]?.body ?? '') as JsonObject;
};

describe('the checks of Qualifire', () => {
  it.each(['contentModeration', 'pii'])('%s sends the judged text alone', async (name) => {
    expect(await bodyOf(name, 'input')).toMatchObject({ input: 'moon' });
    const answered = await bodyOf(name, 'output');
    expect(answered).toMatchObject({ output: 'moon' });
    expect(answered).not.toHaveProperty('input');
  });

  it.each(['grounding', 'hallucinations'])('%s sends what was asked with the answer, and the mode', async (name) => {
    const detector = { [`${name}_check`]: true };
    expect(await bodyOf(name, 'output')).toEqual({
      input: asked,
      output: 'moon',
      ...detector,
      [`${name}_mode`]: 'balanced',
    });
    expect(await bodyOf(name, 'output', { mode: 'speed' })).toMatchObject({ [`${name}_mode`]: 'speed' });
  });

  it('policy sends the policies, and says which text must keep to them', async () => {
    const policies = ['It is about the moon.'];
    const more = { assertions: policies };
    expect(await bodyOf('policy', 'input', { policies })).toEqual({ input: 'moon', policy_target: 'input', ...more });
    expect(await bodyOf('policy', 'output', { policies })).toEqual({
      input: asked,
      output: 'moon',
      policy_target: 'output',
      ...more,
    });
  });

  it('fail where a result is flagged, whatever the whole is called, and where the whole failed', () =>
    testGuardrail(toGuardrail('qualifire.pii'), [
      {
        parameters,
        text: 'x',
        service: saying({ status: 'success', score: 90, evaluationResults: evaluated(true) }),
        verdict: 'fail',
        data: { found: ['pii'] },
      },
      {
        parameters,
        text: 'x',
        service: saying({ status: 'failed', score: null, evaluationResults: evaluated(false) }),
        verdict: 'fail',
      },
      {
        parameters,
        text: 'x',
        service: saying({ status: 'warning', score: 60, evaluationResults: evaluated(false) }),
        verdict: 'pass',
      },
    ]));

  it.each([
    { status: 'success', score: 90, evaluationResults: [] },
    { status: 'success', score: 90, evaluationResults: evaluated('no') },
    { status: 'skipped', score: 90, evaluationResults: evaluated(false) },
  ])('have an error where it cannot be read what was judged: %j', (answer) =>
    testGuardrail(toGuardrail('qualifire.pii'), [{ parameters, text: 'x', service: saying(answer), verdict: 'error' }]),
  );

  it('refuse parameters without a key, another mode, and policies that are none', async () => {
    await testGuardrail(toGuardrail('qualifire.pii'), [{ parameters: {}, verdict: 'refused' }]);
    await testGuardrail(toGuardrail('qualifire.grounding'), [
      { parameters: { ...parameters, mode: 'slow' }, verdict: 'refused' },
    ]);
    await testGuardrail(toGuardrail('qualifire.policy'), [
      { parameters, verdict: 'refused' },
      { parameters: { ...parameters, policies: [] }, verdict: 'refused' },
    ]);
  });
});

describe('what the model was asked', () => {
  it.each<[string, JsonObject]>([
    ['chat', request],
    ['messages', { system: 'The moon is made of rock.', messages: [{ role: 'user', content: 'What is it made of?' }] }],
    [
      'responses',
      {
        instructions: 'The moon is made of rock.',
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it made of?' }] }],
      },
    ],
    [
      'gemini',
      {
        contents: [{ role: 'user', parts: [{ text: 'What is it made of?' }] }],
        systemInstruction: { parts: [{ text: 'The moon is made of rock.' }] },
      },
    ],
    [
      'converse',
      {
        system: [{ text: 'The moon is made of rock.' }],
        messages: [{ role: 'user', content: [{ text: 'What is it made of?' }] }],
      },
    ],
  ])('is read in the format of %s', (_name, body) => expect(askedText(body)).toBe(asked));

  it('has what tools found', () =>
    expect(
      askedText({
        messages: [
          { role: 'user', content: [{ toolResult: { toolUseId: 't', content: [{ text: 'rock' }] } }] },
          { role: 'user', content: [{ type: 'tool_result', content: 'dust' }] },
        ],
      }),
    ).toBe('rock\ndust'));

  it('is empty where a request has no text', () => expect(askedText({ model: 'm', messages: [{}] })).toBe(''));
});
