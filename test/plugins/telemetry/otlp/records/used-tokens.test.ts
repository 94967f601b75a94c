import { expect, it } from 'vitest';
import { usedTokens } from '../../../../../plugins/telemetry/otlp/records/attempt-record.ts';
import { unusedRecord } from '../../../../../schema/usage/usage-record.ts';

it('the usage in a span has the cost of an answer that reports no tokens, and nothing if it has none', () => {
  const tokens = { input: null, output: null, cacheRead: null, cacheWritten: null, reasoning: null };
  const cost = { nanoUsd: 30_000_000, prices: 'gateway file' };
  expect(usedTokens({ ...unusedRecord('tts-1'), unmeasured: true, cost })).toEqual({
    ...tokens,
    nanoUsd: cost.nanoUsd,
  });
  expect(usedTokens(unusedRecord('tts-1'))).toBeNull();
});
