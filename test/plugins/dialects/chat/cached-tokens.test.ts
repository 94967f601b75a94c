import { describe, expect, it } from 'vitest';
import { decodeUsage } from '../../../../plugins/dialects/chat/answer/usage.ts';

const counts = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };

describe('tokens read from a cache', () => {
  it.each([
    ['in the prompt details, as OpenAI does', { prompt_tokens_details: { cached_tokens: 6 } }],
    ['next to the prompt tokens, as DeepSeek does', { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }],
    ['next to the prompt tokens, as Moonshot does', { cached_tokens: 6 }],
    [
      'in both places, and the details take precedence',
      { prompt_tokens_details: { cached_tokens: 6 }, cached_tokens: 7 },
    ],
  ])('are counted if a provider reports them %s', (_, more) => {
    expect(decodeUsage({ ...counts, ...more })).toMatchObject({ input: 10, output: 2, cacheRead: 6 });
  });

  it('are unknown if the count is null', () => {
    expect(decodeUsage({ ...counts, cached_tokens: null })?.cacheRead).toBeUndefined();
  });
});
