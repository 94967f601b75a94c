import type { StatedModels } from './stated-models.ts';

/** https://console.groq.com/docs/models */
export const groqModels: StatedModels = {
  provider: 'groq',
  documentation: 'https://console.groq.com/docs/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning'],
      models: {
        'openai/gpt-oss-safeguard-20b': [131_072, 65_536],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching'],
      models: {
        'openai/gpt-oss-120b': [131_072, 65_536],
        'openai/gpt-oss-20b': [131_072, 65_536],
      },
    },
    {
      able: ['speech'],
      models: {
        'canopylabs/orpheus-arabic-saudi': [null],
        'canopylabs/orpheus-v1-english': [null],
      },
    },
    {
      able: ['transcription'],
      models: {
        'whisper-large-v3': [null],
        'whisper-large-v3-turbo': [null],
      },
    },
  ],
};
