import { describe, expect, it } from 'vitest';
import { isStoredByProvider } from '../../../../plugins/sdk/models/kept-by-provider.ts';
import { isCopyable } from '../../../../runtime/engine/mirrors/is-copyable.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';

const schema = { type: 'object' };

describe('a request may be copied', () => {
  it.each([
    ['chat', { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] }],
    ['chat', { tools: [{ type: 'custom', custom: { name: 'f' } }], store: false }],
    ['responses', { store: false, tools: [{ type: 'function', name: 'f', parameters: schema, strict: true }] }],
    ['messages', { tools: [{ name: 'f', input_schema: schema, cache_control: { type: 'ephemeral' } }] }],
    ['gemini', { tools: [{ functionDeclarations: [{ name: 'f' }] }] }],
    ['converse', { toolConfig: { tools: [{ toolSpec: { name: 'f' } }, { cachePoint: { type: 'default' } }] } }],
    ['cohere', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['completions', { prompt: 'Once upon a time' }],
    ['chat', {}],
  ])('if it is a request of %s such as %j', (dialect, body) => expect(isStoredByProvider(body, dialect)).toBe(false));
});

describe('a request may not be copied, because its provider stores it or does more than answer it', () => {
  it.each([
    ['responses', {}],
    ['responses', { store: true }],
    ['responses', { store: false, background: true }],
    ['responses', { store: false, conversation: 'conv_1' }],
    ['responses', { store: false, prompt: { id: 'pmpt_1' } }],
    ['responses', { store: false, tools: [{ type: 'mcp', server_url: 'https://mcp.example.com' }] }],
    ['responses', { store: false, tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['chat', { store: true }],
    ['chat', { web_search_options: {} }],
    ['chat', { tools: 'all' }],
    ['messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['messages', { mcp_servers: [{ type: 'url', url: 'https://mcp.example.com' }] }],
    ['messages', { container: 'container_1' }],
    ['gemini', { tools: [{ googleSearch: {} }] }],
    ['gemini', { cachedContent: 'cachedContents/1' }],
    ['gemini', { tools: [{ functionDeclarations: [{ name: 'f' }], codeExecution: {} }] }],
    ['converse', { toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] } }],
  ])('if it is a request of %s such as %j', (dialect, body) => expect(isStoredByProvider(body, dialect)).toBe(true));
});

it('does not copy a request that is kept, has no body, or has an operation that cannot be copied', () => {
  const request = sampleExchange().request;
  expect(isCopyable(sampleExchange())).toBe(true);
  expect(isCopyable(sampleExchange({}, { kept: {} }))).toBe(false);
  expect(isCopyable(sampleExchange({}, { request: { ...request, body: { kind: 'none' } } }))).toBe(false);
  for (const operation of ['count', 'transcribe', 'opaque'] as const)
    expect(isCopyable(sampleExchange({}, { route: { operation } }))).toBe(false);
});
