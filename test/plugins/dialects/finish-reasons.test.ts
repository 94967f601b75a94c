import { expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const findReasons = (id: string, wire: JsonObject): readonly string[] | undefined =>
  builtinDialects.find((dialect) => dialect.id === id)?.finishReasons?.(wire);

it.each<[string, JsonObject, readonly string[] | undefined]>([
  [
    'chat',
    { choices: [{ finish_reason: 'stop' }, { finish_reason: null }, { finish_reason: 'length' }] },
    ['stop', 'length'],
  ],
  ['chat', { choices: [] }, []],
  ['completions', { choices: [{ text: 'a', finish_reason: 'length' }] }, ['length']],
  ['messages', { type: 'message', stop_reason: 'end_turn' }, ['end_turn']],
  ['messages', { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} }, ['tool_use']],
  ['messages', { type: 'message_start', message: { stop_reason: null, usage: {} } }, []],
  ['gemini', { candidates: [{ finishReason: 'MAX_TOKENS' }, { content: {} }] }, ['MAX_TOKENS']],
  ['converse', { output: {}, stopReason: 'end_turn' }, ['end_turn']],
  ['cohere', { finish_reason: 'COMPLETE' }, ['COMPLETE']],
  ['cohere', { type: 'message-end', delta: { finish_reason: 'MAX_TOKENS', usage: {} } }, ['MAX_TOKENS']],
  ['responses', { status: 'completed', incomplete_details: null }, ['completed']],
  ['responses', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, ['max_output_tokens']],
  ['responses', { type: 'response.created', response: { status: 'in_progress' } }, []],
  ['responses', { type: 'response.completed', response: { status: 'completed' } }, ['completed']],
  ['embeddings', { data: [] }, undefined],
])('reads the finish reasons in the dialect %s from %j', (id, wire, expected) => {
  expect(findReasons(id, wire)).toEqual(expected);
});
