import { describe, expect, it } from 'vitest';
import { decodeUsage } from '../../../../plugins/dialects/chat/answer/usage.ts';

const counts = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };

describe('tokens read from a cache', () => {
  it.each([
    ['in the details of the prompt, as OpenAI writes them', { prompt_tokens_details: { cached_tokens: 6 } }],
    ['beside it, as DeepSeek does', { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }],
    ['beside it, as Moonshot does', { cached_tokens: 6 }],
    ['in both places, of which the details count', { prompt_tokens_details: { cached_tokens: 6 }, cached_tokens: 7 }],
  ])('are counted if a provider reports them %s', (_, more) => {
    expect(decodeUsage({ ...counts, ...more })).toMatchObject({ input: 10, output: 2, cacheRead: 6 });
  });

  it('are unknown if the count is null', () => {
    expect(decodeUsage({ ...counts, cached_tokens: null })?.cacheRead).toBeUndefined();
  });
});
