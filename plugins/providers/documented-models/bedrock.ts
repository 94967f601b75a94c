import type { StatedModels } from './stated-models.ts';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html */
export const bedrockModels: StatedModels = {
  provider: 'bedrock',
  documentation: 'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html',
  asOf: '2026-11-24',
  families: [
    {
      able: ['chat', 'streaming', 'tools'],
      models: {
        'meta.llama3-1-70b-instruct-v1:0': [128_000, 4_096],
        'meta.llama3-1-8b-instruct-v1:0': [128_000, 4_096],
        'meta.llama3-3-70b-instruct-v1:0': [128_000, 4_096],
        'meta.llama4-maverick-17b-instruct-v1:0': [1_000_000],
        'meta.llama4-scout-17b-instruct-v1:0': [null],
        'mistral.pixtral-large-2502-v1:0': [128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema'],
      models: {
        'mistral.devstral-2-123b': [256_000],
        'mistral.ministral-3-14b-instruct': [128_000],
        'mistral.ministral-3-8b-instruct': [128_000],
        'openai.gpt-oss-safeguard-120b': [128_000],
        'openai.gpt-oss-safeguard-20b': [128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning'],
      models: {
        'deepseek.v3.2': [null],
        'openai.gpt-oss-120b-1:0': [128_000, 16_384],
        'openai.gpt-oss-20b-1:0': [128_000, 16_384],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'caching', 'vision', 'documents'],
      models: {
        'anthropic.claude-haiku-4-5-20251001-v1:0': [200_000, 64_000],
        'anthropic.claude-opus-4-5-20251101-v1:0': [200_000, 64_000],
        'anthropic.claude-opus-4-6-v1': [1_000_000, 128_000],
        'anthropic.claude-sonnet-4-5-20250929-v1:0': [200_000, 64_000],
        'anthropic.claude-sonnet-4-6': [1_000_000, 64_000],
        'anthropic.claude-sonnet-5': [1_000_000, 128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'reasoning', 'vision'],
      models: {
        'mistral.magistral-small-2509': [128_000, 40_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'json-schema', 'vision'],
      models: {
        'google.gemma-3-27b-it': [null],
        'mistral.ministral-3-3b-instruct': [null],
        'mistral.mistral-large-3-675b-instruct': [256_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning'],
      models: {
        'deepseek.v3-v1:0': [null],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'reasoning', 'caching', 'vision', 'documents'],
      models: {
        'anthropic.claude-fable-5': [1_000_000, 128_000],
        'anthropic.claude-opus-4-1-20250805-v1:0': [200_000, 32_000],
        'anthropic.claude-opus-4-7': [1_000_000, 128_000],
        'anthropic.claude-opus-4-8': [1_000_000, 128_000],
        'anthropic.claude-opus-5': [1_000_000, 128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'tools', 'vision'],
      models: {
        'google.gemma-3-4b-it': [128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'json-schema', 'vision'],
      models: {
        'google.gemma-3-12b-it': [null],
      },
    },
    {
      able: ['chat', 'streaming', 'reasoning'],
      models: {
        'deepseek.r1-v1:0': [128_000],
      },
    },
    {
      able: ['chat', 'streaming', 'audio-input'],
      models: {
        'mistral.voxtral-mini-3b-2507': [null],
        'mistral.voxtral-small-24b-2507': [null, 8_192],
      },
    },
  ],
};
