import type { StatedModels } from './stated-models.ts';

/** https://docs.anthropic.com/en/docs/about-claude/models */
export const anthropicModels: StatedModels = {
  provider: 'anthropic',
  documentation: 'https://docs.anthropic.com/en/docs/about-claude/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching', 'vision', 'documents'],
      models: {
        'claude-fable-5': [1_000_000, 128_000],
        'claude-haiku-4-5-20251001': [200_000, 64_000],
        'claude-opus-4-5-20251101': [200_000, 64_000],
        'claude-opus-4-6': [1_000_000, 128_000],
        'claude-opus-4-7': [1_000_000, 128_000],
        'claude-opus-4-8': [1_000_000, 128_000],
        'claude-opus-5': [1_000_000, 128_000],
        'claude-sonnet-4-5-20250929': [null, 64_000],
        'claude-sonnet-4-6': [1_000_000, 128_000],
        'claude-sonnet-5': [1_000_000, 128_000],
      },
    },
  ],
  aliases: {
    'claude-haiku-4-5-20251001': ['claude-haiku-4-5'],
    'claude-opus-4-5-20251101': ['claude-opus-4-5'],
    'claude-sonnet-4-5-20250929': ['claude-sonnet-4-5'],
  },
  deprecated: {
    'claude-sonnet-4-5-20250929': '2026-11-30',
  },
};
