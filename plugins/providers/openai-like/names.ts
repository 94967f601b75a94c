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
  },
  {
    id: 'deepbricks',
  },
  {
    id: 'deepinfra',
  },
  {
    id: 'deepseek',
    models: ['deepseek-'],
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
    id: 'jina',
    models: ['jina-'],
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
  },
  {
    id: 'llama.cpp',
    aliases: ['llama-cpp'],
  },
  {
    id: 'lmstudio',
  },
  {
    id: 'matterai',
  },
  {
    id: 'minimax',
    models: ['MiniMax-'],
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
    id: 'nomic',
    models: ['nomic-'],
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
  },
  {
    id: 'vllm',
  },
  {
    id: 'voyage',
    models: ['voyage-'],
  },
  {
    id: 'x-ai',
    aliases: ['xai'],
    models: ['grok-'],
  },
  {
    id: 'z-ai',
    models: ['glm-'],
  },
  {
    id: 'zhipu',
    models: ['glm-', 'cogview-', 'cogvideox-'],
  },
];
