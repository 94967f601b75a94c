// Made from plugins/providers/openai-like/rows.ts by test/support/generate-provider-names.ts (npm run generate); do not edit.
import type { LateProviderDefinition } from '../../sdk/provider/late-provider.ts';

/** The members of the rows that follow OpenAI which are known before one of them is needed. */
export const openaiLikeNames: readonly Omit<LateProviderDefinition, 'load'>[] = [
  {
    id: '302ai',
  },
  {
    id: 'ai21',
    models: ['jamba-'],
  },
  {
    id: 'aibadgr',
  },
  {
    id: 'anyscale',
  },
  {
    id: 'bytez',
  },
  {
    id: 'cerebras',
  },
  {
    id: 'cometapi',
  },
  {
    id: 'dashscope',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'deepbricks',
  },
  {
    id: 'deepinfra',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'deepseek',
    models: ['deepseek-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'featherless-ai',
  },
  {
    id: 'fireworks-ai',
  },
  {
    id: 'github',
  },
  {
    id: 'groq',
  },
  {
    id: 'huggingface',
  },
  {
    id: 'hyperbolic',
  },
  {
    id: 'inference-net',
  },
  {
    id: 'iointelligence',
  },
  {
    id: 'kluster-ai',
  },
  {
    id: 'krutrim',
  },
  {
    id: 'lambda',
  },
  {
    id: 'lemonfox-ai',
  },
  {
    id: 'lepton',
  },
  {
    id: 'lingyi',
    models: ['yi-'],
  },
  {
    id: 'litellm',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'llama.cpp',
    aliases: ['llama-cpp'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'lmstudio',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'matterai',
  },
  {
    id: 'minimax',
    models: ['MiniMax-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'modal',
  },
  {
    id: 'monsterapi',
  },
  {
    id: 'moonshot',
    models: ['kimi-', 'moonshot-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'ncompass',
  },
  {
    id: 'nebius',
  },
  {
    id: 'nextbit',
  },
  {
    id: 'novita-ai',
  },
  {
    id: 'nscale',
  },
  {
    id: 'nvidia',
  },
  {
    id: 'ollama',
  },
  {
    id: 'openai',
    aliases: ['llmv'],
    models: ['gpt-', 'chatgpt-', 'o1', 'o3', 'o4', 'text-embedding-', 'dall-e', 'whisper', 'tts-', 'omni-', 'ft:gpt-'],
    clientHeaders: ['openai-beta'],
  },
  {
    id: 'openai-compatible',
  },
  {
    id: 'openrouter',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'ovhcloud',
  },
  {
    id: 'perplexity-ai',
    aliases: ['perplexity'],
    models: ['sonar', 'perplexity/'],
  },
  {
    id: 'reka-ai',
  },
  {
    id: 'sambanova',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'siliconflow',
  },
  {
    id: 'together-ai',
    aliases: ['together'],
  },
  {
    id: 'upstage',
    models: ['solar-'],
  },
  {
    id: 'vercel',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'vllm',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'x-ai',
    aliases: ['xai'],
    models: ['grok-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'z-ai',
    models: ['glm-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'zhipu',
    models: ['glm-', 'cogview-', 'cogvideox-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
];
