import { describe, it } from 'vitest';
import { allowedRequestTypes } from '../../../../plugins/guardrails/request/allowed-request-types.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

describe('default.allowedRequestTypes', () => {
  it('allows the listed types, or any type without a list, but no blocked type', () =>
    testGuardrail(allowedRequestTypes, [
      { parameters: {}, verdict: 'pass' },
      { parameters: { allowedTypes: ['chatComplete'] }, verdict: 'pass' },
      { parameters: { allowedTypes: 'embed, chatComplete' }, verdict: 'pass' },
      { parameters: { allowedTypes: ['embed'] }, verdict: 'fail' },
      { parameters: { blockedTypes: ['chatComplete'] }, verdict: 'fail' },
      { parameters: { blockedTypes: 'embed' }, verdict: 'pass' },
      { parameters: { allowedTypes: ['chat'], blockedTypes: ['chatComplete'] }, verdict: 'fail' },
    ]));

  it.each([
    ['chat', 'chatComplete'],
    ['messages', 'messages'],
    ['responses', 'createModelResponse'],
    ['completions', 'complete'],
    ['embeddings', 'embed'],
    ['gemini', 'generateContent'],
    ['converse', 'converse'],
    ['cohere', 'cohereChat'],
    ['acme', 'acme'],
  ])('matches a request in %s as %s or by its dialect', (dialect, type) =>
    testGuardrail(allowedRequestTypes, [
      { parameters: { allowedTypes: [type] }, dialect, verdict: 'pass', data: { requestType: type } },
      { parameters: { blockedTypes: [dialect] }, dialect, verdict: 'fail' },
      { parameters: { allowedTypes: ['other'] }, dialect, verdict: 'fail' },
    ]),
  );

  it('reads a list from the metadata if the config does not have it', () =>
    testGuardrail(allowedRequestTypes, [
      { parameters: {}, metadata: { supported_endpoints: 'embed,complete' }, verdict: 'fail' },
      { parameters: {}, metadata: { blocked_endpoints: 'chatComplete' }, verdict: 'fail' },
      { parameters: { allowedTypes: ['embed'] }, metadata: { supported_endpoints: 'chatComplete' }, verdict: 'fail' },
      {
        parameters: { blockedTypes: ['chatComplete'] },
        metadata: { supported_endpoints: 'chatComplete' },
        verdict: 'fail',
      },
    ]));

  it('rejects a type that is in both lists', () =>
    testGuardrail(allowedRequestTypes, [
      { parameters: { allowedTypes: ['embed'], blockedTypes: 'x,embed' }, verdict: 'refused' },
      { parameters: { allowedTypes: 3 }, verdict: 'refused' },
    ]));
});
