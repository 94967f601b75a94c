import type { StatedModels } from './stated-models.ts';

/** https://cloud.google.com/vertex-ai/generative-ai/docs/models */
export const vertexModels: StatedModels = {
  provider: 'vertex-ai',
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools'],
      models: {
        'meta/llama-3.3-70b-instruct-maas': [128_000, 8_192],
        'meta/llama-4-maverick-17b-128e-instruct-maas': [null],
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
        'gemini-3-flash-preview': [1_048_576],
        'gemini-3.1-flash-lite': [1_048_576, 65_536],
        'gemini-3.1-flash-lite-preview': [1_048_576, 65_536],
        'gemini-3.1-pro-preview': [1_048_576, 65_536],
        'gemini-3.1-pro-preview-customtools': [1_048_576, 65_536],
        'gemini-3.5-flash': [1_048_576],
        'gemini-3.5-flash-lite': [1_048_576, 65_536],
        'gemini-3.6-flash': [1_048_576, 65_536],
        'gemini-3.7-flash': [1_048_576, 65_536],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning'],
      models: {
        'deepseek-ai/deepseek-v3.1-maas': [163_840, 32_768],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning', 'caching'],
      models: {
        'deepseek-ai/deepseek-v3.2-maas': [163_840],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning', 'caching', 'vision', 'documents'],
      models: {
        'claude-haiku-4-5@20251001': [200_000, 64_000],
        'claude-opus-4-5@20251101': [200_000, 64_000],
        'claude-opus-4-6@default': [1_000_000, 128_000],
        'claude-opus-4-7@default': [1_000_000, 128_000],
        'claude-opus-4-8@default': [1_000_000, 128_000],
        'claude-opus-5@default': [1_000_000, 128_000],
        'claude-sonnet-4-5@20250929': [200_000, 64_000],
        'claude-sonnet-4-6@default': [1_000_000],
        'claude-sonnet-5@default': [1_000_000, 128_000],
        'gemini-2.5-flash': [1_048_576],
        'gemini-2.5-flash-lite': [1_048_576],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning', 'caching', 'vision', 'documents', 'audio-input', 'video-input'],
      models: {
        'gemini-2.5-pro': [1_048_576],
      },
    },
    {
      able: ['embeddings'],
      models: {
        'gemini-embedding-001': [2_048],
      },
    },
    {
      able: ['images'],
      models: {
        'gemini-2.5-flash-image': [null],
        'gemini-3-pro-image': [null],
        'gemini-3.1-flash-image': [null],
      },
    },
    {
      able: ['speech'],
      models: {
        'gemini-2.5-flash-tts': [null],
        'gemini-2.5-pro-tts': [null],
      },
    },
  ],
};
