import type { StatedModels } from './stated-models.ts';

/** https://api-docs.deepseek.com/quick_start/pricing */
export const deepseekModels: StatedModels = {
  provider: 'deepseek',
  documentation: 'https://api-docs.deepseek.com/quick_start/pricing',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching'],
      models: {
        'deepseek-v4-flash': [1_000_000],
        'deepseek-v4-pro': [1_000_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'caching'],
      models: {
        'deepseek-chat': [null],
      },
    },
    {
      able: ['chat', 'streaming', 'reasoning', 'caching'],
      models: {
        'deepseek-reasoner': [null],
      },
    },
  ],
  deprecated: {
    'deepseek-chat': '2026-07-24',
    'deepseek-reasoner': '2026-07-24',
  },
};
