import type { StatedModels } from './stated-models.ts';

/** https://docs.mistral.ai/getting-started/models */
export const mistralModels: StatedModels = {
  provider: 'mistral-ai',
  documentation: 'https://docs.mistral.ai/getting-started/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming'],
      models: {
        'open-mistral-nemo': [128_000, 128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools'],
      models: {
        'codestral-latest': [null],
        'devstral-latest': [null],
        'devstral-medium-latest': [null],
        'ministral-3b-latest': [null],
        'ministral-8b-latest': [null],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'vision'],
      models: {
        'mistral-medium-2604': [262_144, 262_144],
        'mistral-medium-latest': [262_144, 262_144],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning'],
      models: {
        'magistral-medium-latest': [null],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning', 'vision'],
      models: {
        'mistral-small-2603': [null],
        'mistral-small-latest': [null],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'vision'],
      models: {
        'mistral-large-2512': [262_144, 262_144],
        'mistral-large-latest': [262_144, 262_144],
        'pixtral-large-latest': [128_000, 128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'audio-input'],
      models: {
        'voxtral-small-latest': [null],
      },
    },
    {
      able: ['embeddings'],
      models: {
        'mistral-embed': [null],
      },
    },
    {
      able: ['speech'],
      models: {
        'voxtral-mini-tts-latest': [null],
      },
    },
    {
      able: ['transcription'],
      models: {
        'voxtral-mini-latest': [null],
      },
    },
  ],
};
