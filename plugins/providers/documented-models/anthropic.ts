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
  // https://docs.anthropic.com/en/docs/about-claude/model-deprecations
  retired: {
    'claude-1.0': '2024-11-06',
    'claude-1.1': '2024-11-06',
    'claude-1.2': '2024-11-06',
    'claude-1.3': '2024-11-06',
    'claude-2.0': '2025-07-21',
    'claude-2.1': '2025-07-21',
    'claude-3-5-haiku-20241022': '2026-02-19',
    'claude-3-5-haiku-latest': '2026-02-19',
    'claude-3-5-sonnet-20240620': '2025-10-28',
    'claude-3-5-sonnet-20241022': '2025-10-28',
    'claude-3-5-sonnet-latest': '2025-10-28',
    'claude-3-7-sonnet-20250219': '2026-02-19',
    'claude-3-7-sonnet-latest': '2026-02-19',
    'claude-3-haiku-20240307': '2026-04-20',
    'claude-3-opus-20240229': '2026-01-05',
    'claude-3-opus-latest': '2026-01-05',
    'claude-3-sonnet-20240229': '2025-07-21',
    'claude-instant-1.0': '2024-11-06',
    'claude-instant-1.1': '2024-11-06',
    'claude-instant-1.2': '2024-11-06',
    'claude-opus-4-20250514': '2026-06-15',
    'claude-sonnet-4-20250514': '2026-06-15',
  },
};
