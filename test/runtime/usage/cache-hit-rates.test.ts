import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../plugins/dialects/responses/responses.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { UsageMeter } from '../../../runtime/usage/usage-meter.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

const readRecord = (dialect: Dialect, answer: JsonObject): UsageRecord => {
  const meter = new UsageMeter(dialect);
  meter.begin();
  meter.body(answer);
  return meter.record({ model: 'm', requestBytes: () => 40 });
};

/** Usage as each vendor reports it: cached tokens are part of the input, or in addition to it. */
const rows: readonly (readonly [family: string, Dialect, JsonObject, number])[] = [
  [
    'OpenAI chat',
    chat,
    { usage: { prompt_tokens: 2006, completion_tokens: 300, prompt_tokens_details: { cached_tokens: 1920 } } },
    0.9571,
  ],
  [
    'DeepSeek',
    chat,
    {
      usage: {
        prompt_tokens: 495,
        completion_tokens: 144,
        prompt_tokens_details: { cached_tokens: 320 },
        prompt_cache_hit_tokens: 320,
        prompt_cache_miss_tokens: 175,
      },
    },
    0.6465,
  ],
  [
    'OpenAI responses',
    responses,
    { usage: { input_tokens: 3700, input_tokens_details: { cached_tokens: 2560 }, output_tokens: 741 } },
    0.6919,
  ],
  [
    'Gemini',
    gemini,
    { usageMetadata: { promptTokenCount: 2152, cachedContentTokenCount: 2027, candidatesTokenCount: 90 } },
    0.9419,
  ],
  [
    'Cohere',
    cohere,
    {
      usage: {
        billed_units: { input_tokens: 8, output_tokens: 50 },
        tokens: { input_tokens: 1394, output_tokens: 54 },
        cached_tokens: 1360,
      },
    },
    0.9756,
  ],
  [
    'Anthropic',
    messages,
    {
      usage: {
        input_tokens: 50,
        cache_creation_input_tokens: 150,
        cache_read_input_tokens: 1800,
        output_tokens: 503,
      },
    },
    0.9,
  ],
  [
    'Bedrock',
    converse,
    {
      usage: {
        inputTokens: 50,
        cacheReadInputTokens: 1800,
        cacheWriteInputTokens: 150,
        outputTokens: 9,
        totalTokens: 9,
      },
    },
    0.9,
  ],
];

const unreported: readonly (readonly [family: string, Dialect, JsonObject])[] = [
  ['OpenAI chat', chat, { usage: { prompt_tokens: 20, completion_tokens: 3 } }],
  ['OpenAI responses', responses, { usage: { input_tokens: 20, output_tokens: 3 } }],
  ['Gemini', gemini, { usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 3 } }],
  ['Cohere', cohere, { usage: { tokens: { input_tokens: 20, output_tokens: 3 } } }],
  ['Anthropic', messages, { usage: { input_tokens: 20, cache_read_input_tokens: null, output_tokens: 3 } }],
  ['Bedrock', converse, { usage: { inputTokens: 20, outputTokens: 3, totalTokens: 23 } }],
];

describe('the cache hit rate of an answer', () => {
  it.each(rows)('is what %s reports', (_family, dialect, answer, rate) => {
    expect(readRecord(dialect, answer)).toMatchObject({ kind: 'reported', cacheHitRate: rate });
  });

  it('is 0 if a provider reports that it read nothing', () => {
    const usage = { input_tokens: 20, cache_creation_input_tokens: 1800, cache_read_input_tokens: 0, output_tokens: 3 };
    expect(readRecord(messages, { usage }).cacheHitRate).toBe(0);
  });

  it.each(unreported)('is absent if %s reports nothing about its cache', (_family, dialect, answer) => {
    const record = readRecord(dialect, answer);
    expect(record).toMatchObject({ kind: 'reported', input: { total: 20 } });
    expect(record).not.toHaveProperty('cacheHitRate');
  });
});
