import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../plugins/console/app/pages/playground/prompt.ts';
import {
  type Answer,
  noAnswer,
  readEvent,
  readWhole,
} from '../../../plugins/console/app/pages/playground/read-answer.ts';
import { readAttempts, toCause } from '../../../plugins/console/app/pages/playground/trail.ts';

const streamed = (dialect: DialectId, events: readonly (object | string)[]): Answer =>
  events.reduce<Answer>(
    (answer, event) => readEvent(dialect, answer, typeof event === 'string' ? event : JSON.stringify(event)),
    noAnswer,
  );

describe('a whole answer', () => {
  it.each([
    [
      'chat',
      {
        choices: [
          {
            message: { content: 'Hi', tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
    ],
    [
      'messages',
      {
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'tool_use', name: 'f', input: { a: 1 } },
        ],
        stop_reason: 'stop',
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    ],
    [
      'responses',
      {
        status: 'stop',
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
          { type: 'function_call', name: 'f', arguments: '{"a":1}' },
        ],
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    ],
    [
      'gemini',
      {
        candidates: [
          {
            content: { parts: [{ text: 'Hi' }, { functionCall: { name: 'f', args: { a: 1 } } }] },
            finishReason: 'stop',
          },
        ],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
      },
    ],
  ] as const)('of %s is read as text, calls, stop reason and usage', (dialect, body) => {
    expect(readWhole(dialect, JSON.stringify(body))).toMatchObject({
      ...{ text: 'Hi', calls: [{ name: 'f', arguments: '{"a":1}' }], stop: 'stop' },
      ...{ inputTokens: 3, outputTokens: 2, error: undefined },
    });
  });

  it('is undefined if it is not JSON, and an error if it contains one', () => {
    expect(readWhole('chat', '<html>')).toBeUndefined();
    const body = '{"error":{"message":"No.","code":"invalid-config"}}';
    expect(readWhole('messages', body)?.error).toEqual({ message: 'No.', code: 'invalid-config' });
  });
});

describe('a stream', () => {
  it('of chat is the joined text of its chunks, and is complete after [DONE]', () => {
    const pieces = [
      { choices: [{ delta: { content: 'He' } }] },
      { choices: [{ delta: { content: 'llo' }, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    ];
    const before = streamed('chat', pieces);
    expect(before).toMatchObject({ text: 'Hello', isComplete: false, outputTokens: 2 });
    expect(readEvent('chat', before, '[DONE]').isComplete).toBe(true);
  });

  it('of messages can have calls whose arguments arrive in pieces', () => {
    const answer = streamed('messages', [
      { type: 'message_start', message: { usage: { input_tokens: 4, output_tokens: 0 } } },
      { type: 'content_block_start', content_block: { type: 'tool_use', name: 'f', input: {} } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a"' } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: ':1}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]);
    expect(answer).toMatchObject({
      ...{ calls: [{ name: 'f', arguments: '{"a":1}' }], stop: 'tool_use' },
      ...{ inputTokens: 4, outputTokens: 5, isComplete: true },
    });
  });

  it.each([
    ['chat', [{ choices: [{ delta: { content: 'Hel' } }] }, { error: { message: 'It broke.', code: 'x' } }, '[DONE]']],
    [
      'messages',
      [
        { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hel' } },
        { type: 'error', error: { message: 'It broke.', type: 'x' } },
      ],
    ],
    [
      'responses',
      [
        { type: 'response.output_text.delta', delta: 'Hel' },
        { type: 'response.failed', response: { error: { message: 'It broke.', code: 'x' } } },
      ],
    ],
  ] as const)('of %s that ends with an error keeps the text before it', (dialect, events) => {
    expect(streamed(dialect, events)).toMatchObject({ text: 'Hel', error: { message: 'It broke.', code: 'x' } });
  });
});

describe('the trail of a request', () => {
  it('is parsed from its header, including quoted parts', () => {
    const header = '"config.targets[0]";status=502;error=connection-failed;ms=3.10, "a\\"b,c";status=200;ms=812.45';
    expect(readAttempts(header)).toEqual([
      { place: 'config.targets[0]', status: '502', error: 'connection-failed', ms: '3.10' },
      { place: 'a"b,c', status: '200', error: '', ms: '812.45' },
    ]);
    expect(readAttempts('')).toEqual([]);
    expect(readAttempts('"a";status=200, more;count=3')).toHaveLength(1);
  });

  it('has advice for each status', () => {
    expect([401, 404, 429, 446, 400, 502].map(toCause)).toEqual([
      ...['key', 'notFound', 'limit', 'guardrail', 'request', 'upstream'],
    ]);
  });
});
