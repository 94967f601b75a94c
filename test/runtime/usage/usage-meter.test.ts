import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../plugins/dialects/converse/converse.ts';
import { embeddings } from '../../../plugins/dialects/embeddings/embeddings.ts';
import { gemini } from '../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../plugins/dialects/responses/responses.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { UsageMeter } from '../../../runtime/usage/usage-meter.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

const call = { model: 'asked', requestBytes: () => 40 };

const metered = (dialect: Dialect | undefined, frames: readonly object[]): UsageRecord => {
  const meter = new UsageMeter(dialect);
  meter.begin();
  for (const frame of frames) meter.frame({ data: JSON.stringify(frame) });
  meter.end();
  return meter.record(call);
};

describe('a meter', () => {
  it('keeps the counts of an earlier frame that a later one omits', () => {
    const first = { usageMetadata: { promptTokenCount: 9, cachedContentTokenCount: 4 }, modelVersion: 'm-1' };
    const last = { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2 } };
    expect(metered(gemini, [first, last])).toEqual({
      kind: 'reported',
      model: 'm-1',
      input: { total: 9, cacheRead: 4 },
      output: { total: 2 },
      cacheHitRate: 0.4444,
    });
  });

  it('reads every frame of a dialect without a mark, and estimates no output from its text', () => {
    const { streamUsage: _, ...plain } = chat;
    const chunk = { choices: [{ delta: { content: 'four' } }] };
    const counts = { usage: { prompt_tokens: 3, completion_tokens: 1 }, model: 'm-2' };
    expect(metered(plain, [chunk, counts])).toMatchObject({ kind: 'reported', model: 'm-2', input: { total: 3 } });
    expect(metered(plain, [chunk])).toMatchObject({ kind: 'estimated', input: { total: 10 }, output: { total: 0 } });
    expect(metered(chat, [chunk])).toMatchObject({ kind: 'estimated', output: { total: 1 } });
  });

  it('creates a record for each call, so that one can be extended', () => {
    const meter = new UsageMeter(chat);
    meter.body({ usage: { prompt_tokens: 3, completion_tokens: 1 }, model: 'm-2' });
    const priced = meter.record(call);
    priced.cost = { nanoUsd: 5, prices: 'gateway file' };
    expect(meter.record(call)).toEqual({ kind: 'reported', model: 'm-2', input: { total: 3 }, output: { total: 1 } });
  });

  it('collects finish reasons from bodies, from frames with counts and from events, within limits', () => {
    const toReasons = (dialect: Dialect, read: (meter: UsageMeter) => void): readonly string[] => {
      const meter = new UsageMeter(dialect);
      read(meter);
      return meter.finishReasons;
    };
    const choices = (count: number, reason: string) => Array.from({ length: count }, () => ({ finish_reason: reason }));
    const frame = (wire: object) => ({ data: JSON.stringify(wire) });
    expect(toReasons(chat, (meter) => meter.body({ choices: choices(2, 'length') }))).toEqual(['length', 'length']);
    expect(
      toReasons(gemini, (meter) => {
        meter.frame(frame({ candidates: [{}], usageMetadata: { promptTokenCount: 1 } }));
        meter.frame(frame({ candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 1 } }));
      }),
    ).toEqual(['STOP']);
    expect(
      toReasons(chat, (meter) => {
        meter.event({ kind: 'finish', choice: 0, finish: { reason: 'length', raw: 'max_tokens' } });
        meter.event({ kind: 'finish', choice: 1, finish: { reason: 'stop' } });
      }),
    ).toEqual(['max_tokens', 'stop']);
    const many = toReasons(chat, (meter) => meter.body({ choices: choices(1000, 'x'.repeat(1000)) }));
    expect([many.length, many[0]?.length]).toEqual([128, 64]);
  });

  it.each([
    { prompt_tokens: -5, completion_tokens: 6 },
    { prompt_tokens: 5, completion_tokens: 0.5 },
    { prompt_tokens: 5e12, completion_tokens: 6 },
    { prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: { cached_tokens: -1 } },
    { prompt_tokens: '5', completion_tokens: '6' },
  ])('estimates usage from the text if the reported figures are implausible: %j', (usage) => {
    const chunk = { choices: [{ delta: { content: 'four' } }] };
    const estimate = { kind: 'estimated', input: { total: 10 }, output: { total: 1 } };
    expect(metered(chat, [chunk, { usage }])).toMatchObject(estimate);
    const plausible = { prompt_tokens: 5, completion_tokens: 6 };
    expect(metered(chat, [chunk, { usage: plausible }, { usage }])).toMatchObject({
      ...{ kind: 'reported', input: { total: 5 }, output: { total: 6 } },
    });
  });

  it('estimates usage from a total alone, but not below the estimate from the text', () => {
    const chunk = { choices: [{ delta: { content: 'four' } }] };
    const estimated = (total: number) => metered(chat, [chunk, { usage: { total_tokens: total } }]);
    const input = { total: 10 };
    expect(estimated(40)).toMatchObject({ kind: 'estimated', input, output: { total: 30 } });
    expect(estimated(11)).toMatchObject({ kind: 'estimated', input, output: { total: 1 } });
    expect(estimated(3)).toMatchObject({ kind: 'estimated', input, output: { total: 1 } });
    expect(estimated(-3)).toMatchObject({ kind: 'estimated', input, output: { total: 1 } });
    const reported = { usage: { prompt_tokens: 5, completion_tokens: 6 } };
    expect(metered(chat, [reported, { usage: { total_tokens: 40 } }])).toMatchObject({
      ...{ kind: 'reported', input: { total: 5 }, output: { total: 6 } },
    });
    expect(metered(chat, [{ usage: { total_tokens: 40 } }, reported])).toMatchObject({
      ...{ kind: 'reported', input: { total: 5 }, output: { total: 6 } },
    });
    const bodies = [
      [chat, { choices: [{ message: { content: 'four' } }] }],
      [responses, { output: [{ type: 'message', content: [{ type: 'output_text', text: 'four' }] }] }],
    ] as const;
    for (const [dialect, body] of bodies) {
      const meter = new UsageMeter(dialect);
      meter.body({ ...JSON.parse(JSON.stringify(body)), usage: { total_tokens: 40 } });
      expect(meter.record(call)).toMatchObject({ kind: 'estimated', input, output: { total: 30 } });
    }
    const meter = new UsageMeter(embeddings);
    meter.body({ data: [], usage: { total_tokens: 40 } });
    expect(meter.record(call)).toMatchObject({ kind: 'reported', input: { total: 40 }, output: { total: 0 } });
  });

  it('estimates the usage of a response whose figures cannot be read', () => {
    const meter = new UsageMeter(responses);
    meter.body({ output: [], usage: { prompt_tokens: 5, completion_tokens: 6 } });
    expect(meter.record(call)).toMatchObject({ kind: 'estimated', input: { total: 10 } });
  });

  const tokens = (input: number, output: number) => ({ input: { total: input }, output: { total: output } });
  const cases: readonly [name: string, Dialect, wire: object, expected: object][] = [
    ['chat', chat, { usage: { completion_tokens: 7 } }, tokens(10, 7)],
    ['responses', responses, { usage: { output_tokens: 7 } }, tokens(10, 7)],
    ['messages', messages, { usage: { output_tokens: 7 } }, tokens(10, 7)],
    ['messages', messages, { content: [{ type: 'text', text: 'four' }], usage: { input_tokens: 3 } }, tokens(3, 1)],
    ['converse', converse, { usage: { outputTokens: 7 } }, tokens(10, 7)],
    ['gemini', gemini, { usageMetadata: { candidatesTokenCount: 7, thoughtsTokenCount: 2 } }, tokens(10, 9)],
    ['cohere', cohere, { usage: { tokens: { output_tokens: 7 } } }, tokens(10, 7)],
  ];
  it.each(cases)('estimates the count that %s omits, and uses the other one', (_, dialect, wire, expected) => {
    const meter = new UsageMeter(dialect);
    meter.body(JSON.parse(JSON.stringify(wire)));
    expect(meter.record(call)).toMatchObject({ kind: 'partial', ...expected });
  });

  it.each<[string, Dialect, object]>([
    ['messages', messages, { usage: { cache_read_input_tokens: 7 } }],
    ['converse', converse, { usage: { cacheReadInputTokens: 7 } }],
    ['gemini', gemini, { usageMetadata: { trafficType: 'ON_DEMAND', totalTokenCount: 7 } }],
    ['cohere', cohere, { usage: {} }],
  ])('estimates both counts if %s omits them', (_, dialect, wire) => {
    const meter = new UsageMeter(dialect);
    meter.body(JSON.parse(JSON.stringify(wire)));
    expect(meter.record(call)).toMatchObject({ kind: 'estimated', ...tokens(10, 0) });
  });

  it('derives a missing count from a total, because some providers omit 0', () => {
    const blocked = { usageMetadata: { promptTokenCount: 5, thoughtsTokenCount: 3, totalTokenCount: 8 } };
    expect(metered(gemini, [blocked])).toMatchObject({ kind: 'reported', ...tokens(5, 3) });
    const embedded = { usage: { prompt_tokens: 5, total_tokens: 5 } };
    expect(metered(chat, [embedded])).toMatchObject({ kind: 'reported', ...tokens(5, 0) });
  });

  it('estimates the output of a message that is cut off, because its start counts only the first words', () => {
    const meter = new UsageMeter(messages);
    const frame = (wire: object) => meter.frame({ data: JSON.stringify(wire) });
    meter.begin();
    frame({ type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } });
    frame({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'a word '.repeat(40) } });
    expect(meter.record(call)).toMatchObject({ kind: 'partial', ...tokens(5, 70) });
    frame({ type: 'message_delta', usage: { output_tokens: 42 } });
    meter.end();
    expect(meter.record(call)).toMatchObject({ kind: 'reported', ...tokens(5, 42) });
  });

  it('skips frames that are not JSON', () => {
    const meter = new UsageMeter(chat);
    meter.begin();
    meter.frame({ data: '{"usage":{"prompt_tokens":' });
    meter.frame({ data: `${'['.repeat(20_000)}"_tokens"` });
    expect(meter.record(call)).toMatchObject({ kind: 'estimated' });
  });

  it('records no usage for an answer that is passed through', () => {
    expect(new UsageMeter(undefined).record(call)).toEqual({
      kind: 'none',
      model: 'asked',
      input: { total: 0 },
      output: { total: 0 },
    });
  });
});
