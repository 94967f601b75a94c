import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { qualifireStub } from '../../../support/partners/qualifire-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const toolUseQuality = toGuardrail('qualifire.toolUseQuality');
const parameters = { credentials: { apiKey: partnerKey } };
const weather = {
  name: 'get_weather',
  description: 'Says how the weather is.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

const call = (name: string, written: string, id = 'call_1'): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: written },
});
const answering = (...messages: readonly JsonObject[]): JsonObject => ({
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: messages.map((message, index) => ({
    index,
    message: { role: 'assistant', content: null, ...message },
    finish_reason: 'stop',
  })),
});
const asking = (...messages: readonly JsonObject[]): JsonObject => ({
  model: 'm',
  messages,
  tools: [{ type: 'function', function: weather }],
});
const plain = asking({ role: 'user', content: 'How is it in Bern?' });

const bodyOf = async (given: { readonly [member: string]: JsonObject | string }): Promise<JsonObject> => {
  const { service, requests } = checkService(qualifireStub);
  await testGuardrail(toolUseQuality, [{ parameters, service, verdict: 'pass', ...given }]);
  return JSON.parse(requests[0]?.body ?? '') as JsonObject;
};

describe('qualifire.toolUseQuality', () => {
  it('sends the conversation with its calls, and the tools', async () => {
    const request = asking(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is it in Bern?' },
      { role: 'assistant', content: null, tool_calls: [call('get_weather', '{"city":"Bern"}', 'call_0')] },
      { role: 'tool', tool_call_id: 'call_0', content: 'Rain.' },
      { role: 'user', content: 'And in Basel?' },
    );
    const answer = answering({ tool_calls: [call('get_weather', '{"city":"Basel"}')] });
    expect(await bodyOf({ request, answer })).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How is it in Bern?' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_0', name: 'get_weather', arguments: { city: 'Bern' } }],
        },
        { role: 'tool', content: 'Rain.' },
        { role: 'user', content: 'And in Basel?' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: { city: 'Basel' } }],
        },
      ],
      available_tools: [weather],
      tool_use_quality_check: true,
      tuq_mode: 'balanced',
    });
  });

  it('reads the dialect of the client, in which tool results are user turns', async () => {
    const request = {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'How is it?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'get_weather', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Rain.' }] },
      ],
      tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
    };
    const answer = {
      id: 'a',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'It rains.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    expect(await bodyOf({ request, answer, dialect: 'messages', text: 'It rains.' })).toMatchObject({
      messages: [
        { role: 'user', content: 'How is it?' },
        { role: 'assistant', tool_calls: [{ id: 't', name: 'get_weather', arguments: {} }] },
        { role: 'tool', content: 'Rain.' },
        { role: 'assistant', content: 'It rains.' },
      ],
      available_tools: [{ name: 'get_weather', description: '', parameters: { type: 'object' } }],
    });
  });

  it('sends the input of a custom tool as an argument, and the mode', async () => {
    const { service, requests } = checkService(qualifireStub);
    const request = { ...plain, tools: [{ type: 'custom', custom: { name: 'run' } }] };
    const answer = answering({ tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls' } }] });
    await testGuardrail(toolUseQuality, [
      { parameters: { ...parameters, mode: 'speed' }, request, answer, service, verdict: 'pass' },
    ]);
    const body = JSON.parse(requests[0]?.body ?? '');
    expect(body.tuq_mode).toBe('speed');
    const [tool] = body.available_tools;
    const [called] = body.messages.at(-1).tool_calls;
    expect(called).toMatchObject({ name: 'run' });
    expect(Object.keys(called.arguments)).toEqual(tool.parameters.required);
    expect(Object.values(called.arguments)).toEqual(['ls']);
  });

  it('fails if one of the choices fails', async () => {
    const { service, requests } = checkService(qualifireStub);
    const good = { tool_calls: [call('get_weather', '{}')] };
    const bad = { tool_calls: [call('make_plutonium', '{}')] };
    await testGuardrail(toolUseQuality, [
      {
        parameters,
        request: plain,
        answer: answering(good, bad),
        service,
        verdict: 'fail',
        data: { found: ['tool_use_quality'] },
      },
    ]);
    // Each case runs twice.
    expect(requests).toHaveLength(4);
  });

  it.each([
    { case: 'no tools', request: { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] } },
    { case: 'only tools that the provider runs', request: { ...plain, tools: [{ type: 'web_search' }] } },
  ])('sends nothing for a request with $case', ({ request }) =>
    testGuardrail(toolUseQuality, [{ parameters, request, answer: answering({ content: 'Hi.' }), verdict: 'pass' }]),
  );

  it('sends nothing for an operation without tools', () =>
    testGuardrail(toolUseQuality, [{ parameters, operation: 'complete', dialect: 'completions', verdict: 'pass' }]));

  it.each([
    {
      case: 'arguments that are not valid JSON',
      request: plain,
      answer: answering({ tool_calls: [call('f', '{"a":')] }),
    },
    { case: 'an answer whose choices are not a list', request: plain, answer: { choices: 'none' } },
    { case: 'an answer without a choice', request: plain, answer: answering() },
    { case: 'an invalid request', request: { ...plain, messages: 'Hi.' }, answer: answering({}) },
    { case: 'a dialect of a plugin', request: plain, answer: answering({}), dialect: 'acme' },
  ])('reports an error for $case', ({ case: _, ...given }) =>
    testGuardrail(toolUseQuality, [
      { parameters, service: checkService(qualifireStub).service, verdict: 'error', ...given },
    ]),
  );

  it('reports an error without a complete answer', () =>
    testGuardrail(toolUseQuality, [{ parameters, request: plain, verdict: 'error' }]));
});
