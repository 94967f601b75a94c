import type { StatedModels } from './stated-models.ts';

/** https://ai.google.dev/gemini-api/docs/models */
export const googleModels: StatedModels = {
  provider: 'google',
  documentation: 'https://ai.google.dev/gemini-api/docs/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching', 'vision', 'documents', 'audio-input'],
      models: {
        'gemini-2.5-flash': [1_048_576, 65_536],
        'gemini-2.5-flash-lite': [1_048_576, 65_536],
        'gemini-3-flash-preview': [1_048_576, 65_536],
      },
    },
    {
      able: [
        'chat',
        'streaming',
        'tools',
        'json-schema',
        'reasoning',
        'caching',
        'vision',
        'documents',
        'audio-input',
        'video-input',
      ],
      models: {
        'gemini-2.5-pro': [1_048_576, 65_536],
        'gemini-3.1-flash-lite': [1_048_576, 65_536],
        'gemini-3.1-flash-lite-preview': [1_048_576, 65_536],
        'gemini-3.1-pro-preview': [1_048_576, 65_536],
        'gemini-3.1-pro-preview-customtools': [1_048_576, 65_536],
        'gemini-3.5-flash': [1_048_576, 65_536],
        'gemini-3.5-flash-lite': [1_048_576, 65_536],
        'gemini-3.6-flash': [1_048_576, 65_536],
        'gemini-3.7-flash': [1_048_576, 65_536],
        'gemini-flash-latest': [1_048_576, 65_536],
        'gemini-flash-lite-latest': [1_048_576, 65_536],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'vision'],
      models: {
        'gemma-4-26b-a4b-it': [262_144, 32_768],
        'gemma-4-31b-it': [262_144, 32_768],
      },
    },
    {
      able: ['embeddings'],
      models: {
        'gemini-embedding-001': [2_048],
        'gemini-embedding-2': [8_192],
      },
    },
    {
      able: ['images'],
      models: {
        'gemini-2.5-flash-image': [null],
        'gemini-3-pro-image': [null],
        'gemini-3-pro-image-preview': [null],
        'gemini-3.1-flash-image': [null],
        'gemini-3.1-flash-image-preview': [null],
        'gemini-3.1-flash-lite-image': [null],
      },
    },
    {
      able: ['speech'],
      models: {
        'gemini-3.1-flash-tts-preview': [null],
      },
    },
  ],
  deprecated: {
    'gemini-2.5-flash': '2026-12-01',
    'gemini-2.5-pro': '2026-12-01',
  },
  // https://ai.google.dev/gemini-api/docs/deprecations
  retired: {
    'gemini-1.0-pro': '2025-02-15',
    'gemini-1.5-flash': '2025-09-29',
    'gemini-1.5-flash-8b': '2025-09-29',
    'gemini-1.5-pro': '2025-09-29',
    'gemini-pro': '2025-02-15',
  },
};
