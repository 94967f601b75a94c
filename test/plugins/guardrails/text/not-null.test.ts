import { describe, it } from 'vitest';
import { notNull } from '../../../../plugins/guardrails/text/not-null.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

const message = (more: object): { readonly choices: readonly [{ readonly message: object }] } => ({
  choices: [{ message: { role: 'assistant', content: null, ...more } }],
});

describe('default.notNull', () => {
  it('requires content that is not blank', () =>
    testGuardrail(notNull, [
      { parameters: {}, text: 'Hello.', verdict: 'pass' },
      {
        parameters: {},
        text: '',
        verdict: 'fail',
        data: { explanation: 'The answer has no content, which is not allowed.' },
      },
      { parameters: {}, text: ' \n\t', verdict: 'fail' },
      { parameters: {}, spans: [], verdict: 'fail' },
      { parameters: { not: true }, text: '', verdict: 'pass' },
      { parameters: { not: true }, text: 'Hello.', verdict: 'fail' },
      { parameters: { not: 'no' }, verdict: 'refused' },
    ]));

  it('does not count reasoning as content', () =>
    testGuardrail(notNull, [
      { parameters: {}, spans: [{ at: rootPointer, text: 'Well …', kind: 'reasoning' }], verdict: 'fail' },
      { parameters: {}, spans: [{ at: rootPointer, text: 'I cannot.', kind: 'refusal' }], verdict: 'pass' },
    ]));

  it.each([
    ['chat', message({ tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] })],
    ['the deprecated form of chat', message({ function_call: { name: 'f', arguments: '{}' } })],
    ['messages', { content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] }],
    ['responses', { output: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
    ['gemini', { candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] } }] }],
    ['converse', { output: { message: { content: [{ toolUse: { name: 'f', input: {} } }] } } }],
    ['cohere', { message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }] } }],
  ])('passes an answer in %s that calls a tool', (_dialect, answer) =>
    testGuardrail(notNull, [
      { parameters: {}, text: '', answer: JSON.parse(JSON.stringify(answer)), verdict: 'pass' },
      { parameters: { not: true }, text: '', answer: JSON.parse(JSON.stringify(answer)), verdict: 'pass' },
    ]),
  );

  it('does not count an empty list of calls as calls', () =>
    testGuardrail(notNull, [
      { parameters: {}, text: '', answer: JSON.parse(JSON.stringify(message({ tool_calls: [] }))), verdict: 'fail' },
    ]));
});
