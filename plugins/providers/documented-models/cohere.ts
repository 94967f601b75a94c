import type { StatedModels } from './stated-models.ts';

/** https://docs.cohere.com/docs/models */
export const cohereModels: StatedModels = {
  provider: 'cohere',
  documentation: 'https://docs.cohere.com/docs/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming'],
      models: {
        'c4ai-aya-expanse-32b': [128_000, 4_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools'],
      models: {
        'command-a-03-2025': [256_000, 8_000],
        'command-r-08-2024': [128_000],
        'command-r-plus-08-2024': [128_000],
        'command-r7b-12-2024': [128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'vision'],
      models: {
        'command-a-plus-05-2026': [128_000, 64_000],
      },
    },
    {
      able: ['embeddings'],
      models: {
        'embed-english-v3.0': [512],
        'embed-multilingual-v3.0': [512],
        'embed-v4.0': [128_000],
      },
    },
    {
      able: ['rerank'],
      models: {
        'rerank-v3.5': [4_096],
      },
    },
  ],
};
