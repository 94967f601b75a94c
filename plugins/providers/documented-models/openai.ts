import type { StatedModels } from './stated-models.ts';

/** https://platform.openai.com/docs/models */
export const openaiModels: StatedModels = {
  provider: 'openai',
  documentation: 'https://platform.openai.com/docs/models',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools'],
      models: {
        'gpt-4': [8_192],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching'],
      models: {
        'o3-mini': [200_000, 100_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching', 'vision'],
      models: {
        'gpt-5': [400_000, 128_000],
        'gpt-5-mini': [400_000, 128_000],
        'gpt-5-nano': [400_000, 128_000],
        'gpt-5.1': [400_000, 128_000],
        'gpt-5.2': [400_000, 128_000],
        'gpt-5.4-mini': [400_000, 128_000],
        'gpt-5.4-nano': [400_000, 128_000],
        'o4-mini': [200_000, 100_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching', 'vision', 'documents'],
      models: {
        'gpt-5.4': [1_050_000, 128_000],
        'gpt-5.5': [1_050_000, 128_000],
        'gpt-5.6': [1_050_000, 128_000],
        'gpt-5.6-luna': [1_050_000, 128_000],
        'gpt-5.6-sol': [1_050_000, 128_000],
        'gpt-5.6-terra': [1_050_000, 128_000],
        o1: [200_000, 100_000],
        o3: [200_000, 100_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'vision'],
      models: {
        'gpt-5.2-chat-latest': [128_000, 16_384],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'caching', 'vision'],
      models: {
        'gpt-4.1-nano': [1_047_576, 32_768],
        'gpt-4o-2024-08-06': [128_000, 16_384],
        'gpt-4o-2024-11-20': [128_000, 16_384],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'caching', 'vision', 'documents'],
      models: {
        'gpt-4.1': [1_047_576, 32_768],
        'gpt-4.1-mini': [1_047_576, 32_768],
        'gpt-4o': [128_000, 16_384],
        'gpt-4o-mini': [128_000, 16_384],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'vision'],
      models: {
        'gpt-5.3-chat-latest': [128_000, 16_384],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'vision'],
      models: {
        'gpt-4-turbo': [128_000, 4_096],
        'gpt-4o-2024-05-13': [128_000, 4_096],
      },
    },
    {
      able: ['chat', 'streaming', 'caching'],
      models: {
        'gpt-3.5-turbo': [16_385, 4_096],
      },
    },
    {
      able: ['chat', 'tools', 'json-schema', 'reasoning', 'caching', 'vision', 'documents'],
      models: {
        'gpt-5.3-codex': [400_000, 128_000],
      },
    },
    {
      able: ['chat', 'tools', 'json-schema', 'reasoning', 'vision'],
      models: {
        'gpt-5-pro': [400_000, 272_000],
        'o1-pro': [200_000, 100_000],
        'o3-pro': [200_000, 100_000],
      },
    },
    {
      able: ['chat', 'tools', 'reasoning', 'vision'],
      models: {
        'gpt-5.2-pro': [400_000, 128_000],
        'gpt-5.4-pro': [1_050_000, 128_000],
      },
    },
    {
      able: ['chat', 'tools', 'reasoning', 'vision', 'documents'],
      models: {
        'gpt-5.5-pro': [1_050_000, 128_000],
      },
    },
    {
      able: ['streaming', 'transcription'],
      models: {
        'gpt-4o-mini-transcribe': [null],
        'gpt-4o-transcribe': [null],
      },
    },
    {
      able: ['embeddings'],
      models: {
        'text-embedding-3-large': [8_191],
        'text-embedding-3-small': [8_191],
        'text-embedding-ada-002': [8_191],
      },
    },
    {
      able: ['images'],
      models: {
        'chatgpt-image-latest': [null],
        'gpt-image-1': [null],
        'gpt-image-1-mini': [null],
        'gpt-image-1.5': [null],
        'gpt-image-2': [null],
      },
    },
    {
      able: ['speech'],
      models: {
        'gpt-4o-mini-tts': [null],
        'tts-1': [null],
        'tts-1-hd': [null],
      },
    },
    {
      able: ['transcription'],
      models: {
        'whisper-1': [null],
      },
    },
    {
      able: ['moderation'],
      models: {
        'omni-moderation-latest': [null],
      },
    },
  ],
  deprecated: {
    'chatgpt-image-latest': '2026-12-01',
    'gpt-3.5-turbo': '2026-10-23',
    'gpt-4': '2026-10-23',
    'gpt-4-turbo': '2026-10-23',
    'gpt-4.1': '2027-01-14',
    'gpt-4.1-mini': '2027-01-14',
    'gpt-4.1-nano': '2026-10-23',
    'gpt-4o': '2027-01-14',
    'gpt-4o-2024-05-13': '2026-10-23',
    'gpt-4o-2024-08-06': '2027-01-14',
    'gpt-4o-2024-11-20': '2027-01-14',
    'gpt-4o-mini': '2027-01-14',
    'gpt-4o-mini-transcribe': '2027-02-26',
    'gpt-4o-mini-tts': '2027-01-06',
    'gpt-4o-transcribe': '2027-02-26',
    'gpt-5': '2026-12-11',
    'gpt-5-mini': '2026-12-11',
    'gpt-5-nano': '2026-12-11',
    'gpt-5-pro': '2026-12-11',
    'gpt-5.1': '2027-04-01',
    'gpt-5.2-chat-latest': '2026-08-10',
    'gpt-5.3-chat-latest': '2026-08-10',
    'gpt-5.3-codex': '2027-04-01',
    'gpt-5.4-nano': '2027-04-01',
    'gpt-image-1': '2026-10-23',
    'gpt-image-1-mini': '2026-12-01',
    'gpt-image-1.5': '2026-12-01',
    o1: '2026-10-23',
    'o1-pro': '2026-10-23',
    o3: '2026-12-11',
    'o3-mini': '2026-10-23',
    'o3-pro': '2026-12-11',
    'o4-mini': '2026-10-23',
    'tts-1': '2027-01-06',
    'tts-1-hd': '2027-01-06',
    'whisper-1': '2027-02-26',
  },
  // https://platform.openai.com/docs/deprecations
  retired: {
    ada: '2024-01-04',
    babbage: '2024-01-04',
    'babbage-002': '2026-09-28',
    'chatgpt-4o-latest': '2026-02-17',
    'codex-mini-latest': '2026-02-12',
    curie: '2024-01-04',
    'dall-e-2': '2026-05-12',
    'dall-e-3': '2026-05-12',
    davinci: '2024-01-04',
    'davinci-002': '2026-09-28',
    'gpt-3.5-turbo-0125': '2026-10-23',
    'gpt-3.5-turbo-0301': '2024-09-13',
    'gpt-3.5-turbo-0613': '2024-09-13',
    'gpt-3.5-turbo-1106': '2026-09-28',
    'gpt-3.5-turbo-16k-0613': '2024-09-13',
    'gpt-3.5-turbo-instruct': '2026-09-28',
    'gpt-4-0125-preview': '2026-03-26',
    'gpt-4-0314': '2026-03-26',
    'gpt-4-0613': '2026-10-23',
    'gpt-4-1106-preview': '2026-03-26',
    'gpt-4-1106-vision-preview': '2024-12-06',
    'gpt-4-32k': '2025-06-06',
    'gpt-4-32k-0314': '2025-06-06',
    'gpt-4-32k-0613': '2025-06-06',
    'gpt-4-turbo-preview': '2026-03-26',
    'gpt-4-vision-preview': '2024-12-06',
    'gpt-4.5-preview': '2025-07-14',
    'gpt-5-chat-latest': '2026-07-23',
    'gpt-5-codex': '2026-07-23',
    'gpt-5.1-chat-latest': '2026-07-23',
    'gpt-5.1-codex': '2026-07-23',
    'gpt-5.1-codex-max': '2026-07-23',
    'gpt-5.1-codex-mini': '2026-07-23',
    'gpt-5.2-codex': '2026-07-23',
    'o1-mini': '2025-10-27',
    'o1-preview': '2025-07-28',
    'text-ada-001': '2024-01-04',
    'text-babbage-001': '2024-01-04',
    'text-curie-001': '2024-01-04',
    'text-davinci-002': '2024-01-04',
    'text-davinci-003': '2024-01-04',
  },
};
