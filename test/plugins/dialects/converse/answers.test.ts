import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { answerVia, chatCodec, converseCodec, here, messagesCodec } from '../support/codecs.ts';

const answer = (content: readonly Json[], stopReason: string, more: JsonObject = {}): JsonObject => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
  metrics: { latencyMs: 7 },
  ...more,
});

const call = { toolUse: { toolUseId: 'tooluse_1', name: 'f', input: { a: 1 } } };

describe('an answer from Bedrock', () => {
  it('is translated for a chat client, with the name of the called model', () => {
    const usage = {
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 65,
      cacheReadInputTokens: 30,
      cacheWriteInputTokens: 20,
    };
    const decoded = converseCodec.decodeAnswer(answer([{ text: 'Looking.' }, call], 'tool_use', { usage }), {
      ...here,
      model: 'us.anthropic.claude-opus-4-6-v1',
    });
    expect(
      chatCodec.encodeAnswer(decoded, {
        provider: 'bedrock',
        strict: true,
        streamUsage: false,
        id: 'gw-1',
        created: 1,
      }),
    ).toMatchObject({
      id: 'gw-1',
      model: 'us.anthropic.claude-opus-4-6-v1',
      choices: [
        {
          message: {
            content: 'Looking.',
            tool_calls: [{ id: 'tooluse_1', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 60, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 30 } },
    });
  });

  it('has its reasoning signatures tagged with their scope for a messages client', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'Hm', signature: 'sig' } } },
      { reasoningContent: { redactedContent: 'eHg=' } },
      { text: 'Hi' },
    ];
    expect(answerVia(converseCodec, messagesCodec, answer(content, 'end_turn')).content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: 'gw1.here.sig' },
      { type: 'redacted_thinking', data: 'gw1.here.eHg=' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it.each([
    ['end_turn', 'stop', 'end_turn'],
    ['stop_sequence', 'stop', 'end_turn'],
    ['max_tokens', 'length', 'max_tokens'],
    ['tool_use', 'tool-calls', 'tool_use'],
    ['guardrail_intervened', 'content-filter', 'refusal'],
    ['content_filtered', 'content-filter', 'refusal'],
    ['model_context_window_exceeded', 'context-window', 'model_context_window_exceeded'],
    ['malformed_tool_use', 'malformed-call', 'end_turn'],
    ['malformed_model_output', 'other', 'end_turn'],
    ['yet_to_come', 'other', 'end_turn'],
  ])('maps the stop reason %s to %s, or to %s for messages clients', (raw, reason, stopReason) => {
    const wire = answer([{ text: 'x' }], raw);
    expect(converseCodec.decodeAnswer(wire, here).choices[0]?.finish).toEqual({ reason, raw });
    expect(answerVia(converseCodec, messagesCodec, wire).stop_reason).toBe(stopReason);
  });

  it('keeps members that only its format has', () => {
    const wire = answer(
      [
        {
          citationsContent: {
            content: [{ text: 'x' }],
            citations: [{ title: 'T', location: { web: { url: 'https://a.example' } } }],
          },
        },
        { image: { format: 'png', source: { bytes: 'AAAA' } } },
        { toolUse: { toolUseId: 's', name: 'nova_grounding', type: 'server_tool_use', input: { q: 1 } } },
        { toolResult: { toolUseId: 's', content: [{ text: 'found' }], type: 'nova_grounding_result' } },
        { yetToCome: { a: 1 } },
      ],
      'guardrail_intervened',
      {
        trace: { guardrail: { actionReason: 'x' } },
        serviceTier: { type: 'flex' },
        performanceConfig: { latency: 'standard' },
        additionalModelResponseFields: { other: 1 },
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          totalTokens: 33,
          cacheReadInputTokens: 10,
          cacheWriteInputTokens: 20,
          cacheDetails: [
            { ttl: '1h', inputTokens: 5 },
            { ttl: '5m', inputTokens: 15 },
          ],
        },
      },
    );
    expect(answerVia(converseCodec, converseCodec, wire)).toEqual(wire);
    expect(converseCodec.decodeAnswer(wire, here)).toMatchObject({
      usage: { input: 31, output: 2, cacheRead: 10, cacheWrite: 20, cacheWriteByTtl: { '1h': 5 }, tier: 'flex' },
    });
  });

  it('is rejected if it has no content', () => {
    expect(() => converseCodec.decodeAnswer({ message: 'Slow down' }, here)).toThrow(
      'it has no list of content blocks',
    );
  });
});

describe('an answer for a Bedrock client', () => {
  it('has metrics, but no usage, if the provider reported neither', () => {
    const message = { role: 'assistant', content: 'Hi', refusal: null };
    const wire = {
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    };
    expect(answerVia(chatCodec, converseCodec, wire)).toEqual({
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      stopReason: 'end_turn',
      metrics: { latencyMs: 0 },
    });
  });

  it('reports the stop sequence that ended it', () => {
    const wire = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    };
    expect(answerVia(messagesCodec, converseCodec, wire)).toMatchObject({
      stopReason: 'stop_sequence',
      additionalModelResponseFields: { stop_sequence: 'END' },
    });
  });

  it('has redacted reasoning in Base64, from which the original value is read back', () => {
    const content = [{ type: 'redacted_thinking', data: 'xx' }];
    const wire = { id: 'm', type: 'message', role: 'assistant', model: 'x', content, stop_reason: 'end_turn' };
    const redactedContent = Buffer.from('gw1.here.xx').toString('base64');
    const body = answerVia(messagesCodec, converseCodec, wire);
    expect(body).toMatchObject({ output: { message: { content: [{ reasoningContent: { redactedContent } }] } } });
    expect(converseCodec.decodeAnswer(body, { scope: 'elsewhere' }).choices[0]?.parts).toEqual([
      { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'encrypted', value: 'xx' } },
    ]);
  });
});
