import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { aidrStub } from '../../../support/partners/aidr-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const id = 'crowdstrike-aidr.guardChatCompletions';
const credentials = { apiKey: partnerKey };
const parameters = { credentials };
const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;

const saying = (result: JsonObject, status = 'Success') => ({
  parameters,
  text: 'ada',
  service: () => ({ status: 200, headers: [], text: JSON.stringify({ status, result }) }),
});
const transforming = (guard_output: JsonObject) =>
  saying({ blocked: false, transformed: true, detectors: {}, guard_output });

describe(id, () => {
  it('sends the pieces as messages, with the provider and the model of the request', async () => {
    const { service, requests } = checkService(aidrStub);
    const spans = [piece('One.'), piece(' '), piece('Two.')];
    await testGuardrail(toGuardrail(id), [
      { parameters, spans, service, model: 'gpt-5', verdict: 'pass', data: { detected: [] } },
      { parameters, phase: 'output', text: 'Three.', service, verdict: 'pass' },
    ]);
    const bodies = new Set(requests.map(({ body }) => body));
    expect([...bodies].map((body) => JSON.parse(body ?? ''))).toEqual([
      {
        guard_input: {
          messages: [
            { role: 'user', content: 'One.' },
            { role: 'user', content: 'Two.' },
          ],
        },
        event_type: 'input',
        app_id: 'gatewright',
        llm_provider: 'openai',
        model: 'gpt-5',
      },
      {
        guard_input: { messages: [{ role: 'assistant', content: 'Three.' }] },
        event_type: 'output',
        app_id: 'gatewright',
        llm_provider: 'openai',
      },
    ]);
  });

  it('replaces what the policy changes, each piece with its message', () => {
    const { service } = checkService(aidrStub);
    expect(toGuardrail(id).rewrites?.(parameters)).toBe(true);
    return testGuardrail(toGuardrail(id), [
      {
        parameters,
        spans: [piece('Hi.'), piece('\n'), piece('To ada@example.com, please.')],
        service,
        verdict: 'pass',
        data: { detected: ['confidential_and_pii_entity'] },
        replaced: ['Hi.', '\n', 'To <EMAIL_ADDRESS>, please.'],
      },
    ]);
  });

  it('replaces nothing if the policy blocks the text', () => {
    const { service } = checkService(aidrStub);
    return testGuardrail(toGuardrail(id), [
      {
        parameters,
        text: 'plutonium for ada@example.com',
        service,
        verdict: 'fail',
        data: { detected: ['malicious_prompt'] },
        replaced: ['plutonium for ada@example.com'],
      },
      {
        ...saying({
          blocked: true,
          transformed: true,
          detectors: {},
          guard_output: { messages: [{ role: 'user', content: 'x' }] },
        }),
        verdict: 'fail',
        replaced: ['ada'],
      },
    ]);
  });

  it('reports an error if it should replace something but cannot', () =>
    testGuardrail(toGuardrail(id), [
      { ...transforming({}), verdict: 'error' },
      { ...transforming({ messages: [] }), verdict: 'error' },
      { ...transforming({ messages: [{ content: 'x' }, { content: 'y' }] }), verdict: 'error' },
      { ...transforming({ messages: [{ content: [{ type: 'text', text: 'x' }] }] }), verdict: 'error' },
      { ...transforming({ messages: [{ content: 'ada' }] }), verdict: 'error' },
    ]));

  it('reports an error for an answer that is not a success, or that lacks a member', () =>
    testGuardrail(toGuardrail(id), [
      { ...saying({ blocked: false, transformed: false, detectors: {} }, 'Accepted'), verdict: 'error' },
      { ...saying({ transformed: false, detectors: {} }), verdict: 'error' },
      { ...saying({ blocked: false, detectors: {} }), verdict: 'error' },
      { ...saying({ blocked: false, transformed: false }), verdict: 'error' },
    ]));

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
    const regional = { ...credentials, baseUrl: 'https://api.eu-1.crowdstrike.com/aidr/aiguard' };
    await testGuardrail(toGuardrail(id), [
      { ...given, parameters: { credentials: regional } },
      { ...given, parameters: { credentials: regional, baseUrl: 'https://proxy.example' } },
      { parameters: { credentials: { ...credentials, baseUrl: 'http://proxy.example' } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, baseUrl: 'https://u:p@proxy.example' } }, verdict: 'refused' },
      { parameters: { credentials: { ...credentials, baseUrl: 'https://proxy.example?key=1' } }, verdict: 'refused' },
    ]);
    expect([...new Set(urls)]).toEqual([
      'https://api.eu-1.crowdstrike.com/aidr/aiguard/v1/guard_chat_completions',
      'https://proxy.example/v1/guard_chat_completions',
    ]);
  });
});
