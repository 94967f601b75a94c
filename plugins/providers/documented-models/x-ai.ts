import type { StatedModels } from './stated-models.ts';

/** https://docs.x.ai/docs/models */
export const xAiModels: StatedModels = {
  provider: 'x-ai',
  documentation: 'https://docs.x.ai/docs/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching', 'vision'],
      models: {
        'grok-4.20-0309-reasoning': [1_000_000],
        'grok-4.3': [1_000_000],
        'grok-4.5': [500_000, 500_000],
        'grok-4.6': [500_000, 500_000],
        'grok-build-0.1': [256_000, 256_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'caching', 'vision'],
      models: {
        'grok-4.20-0309-non-reasoning': [1_000_000],
      },
    },
    {
      able: ['images'],
      models: {
        'grok-imagine-image': [null],
        'grok-imagine-image-2.0': [null],
        'grok-imagine-image-quality': [null],
      },
    },
  ],
};
