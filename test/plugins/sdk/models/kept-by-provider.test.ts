import { describe, expect, it } from 'vitest';
import { accountMarks, isOfOneAccount } from '../../../../plugins/sdk/models/kept-by-provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const message = (part: JsonObject): JsonObject => ({ messages: [{ role: 'user', content: [part] }] });

const ofOneAccount: readonly (readonly [string, JsonObject])[] = [
  ['responses', { previous_response_id: 'resp_1', store: false }],
  ['responses', { conversation: { id: 'conv_1' }, store: false }],
  ['responses', { prompt: { id: 'pmpt_1' }, store: false }],
  ['responses', { store: false, tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
  ['responses', { store: false, tools: [{ type: 'code_interpreter', container: { file_ids: ['file-1'] } }] }],
  ['responses', { store: false, input: [{ content: [{ type: 'input_file', file_id: 'file-1' }] }] }],
  ['chat', { store: true }],
  ['chat', { model: 'ft:gpt-4o:acme::1' }],
  ['chat', message({ type: 'file', file: { file_id: 'file-1' } })],
  ['chat', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
  ['messages', message({ type: 'document', source: { type: 'file', file_id: 'file_1' } })],
  ['messages', { container: 'container_1' }],
  ['gemini', { cachedContent: 'cachedContents/1' }],
  ['gemini', { contents: [{ parts: [{ fileData: { fileUri: 'https://example.com/v1beta/files/1' } }] }] }],
];

describe('a request that depends on one account', () => {
  it.each(ofOneAccount)('is recognised in %s: %j', (dialect, body) => {
    expect(isOfOneAccount(body, dialect)).toBe(true);
    expect(accountMarks.some((mark) => JSON.stringify(body).includes(mark)) || 'prompt' in body).toBe(true);
  });

  it('is any Responses request that does not disable storage', () => {
    expect(isOfOneAccount({}, 'responses')).toBe(true);
  });
});

describe('a request that any account can serve', () => {
  it.each([
    ['responses', { store: false, input: 'Which "file_id" is it?' }],
    ['chat', { store: false }],
    ['chat', { web_search_options: {} }],
    ['chat', { messages: [{ role: 'assistant', content: 'ft:', audio: null }] }],
    ['messages', message({ type: 'text', text: '"container"' })],
    ['completions', { prompt: 'Once upon a time' }],
  ] as const)('is recognised in %s: %j', (dialect, body) => expect(isOfOneAccount(body, dialect)).toBe(false));
});
