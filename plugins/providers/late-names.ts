// Made from the lists of rows by tools/generate/generate-provider-names.ts (npm run generate); do not edit.
import type { LateProviderDefinition } from '../sdk/provider/late-provider.ts';

/** The names of a row, and its file without its extension, from the folder of providers. */
export interface LateName extends Omit<LateProviderDefinition, 'load'> {
  readonly file: string;
}

/** The members that are known of a row before a config, a plan or a request needs it. */
export const lateNames: readonly LateName[] = [
  {
    id: 'mistral-ai',
    file: 'mistral-ai/mistral-ai',
    aliases: ['mistral'],
    models: ['mistral-', 'ministral-', 'magistral-', 'codestral-', 'devstral-', 'pixtral-', 'open-mi', 'voxtral-'],
  },
  {
    id: 'nomic',
    file: 'nomic',
    models: ['nomic-'],
  },
  {
    id: 'oracle',
    file: 'oracle/oracle',
  },
  {
    id: 'recraft-ai',
    file: 'recraft-ai',
    models: ['recraft'],
  },
  {
    id: 'sagemaker',
    file: 'sagemaker/sagemaker',
  },
  {
    id: 'stability-ai',
    file: 'stability-ai',
  },
  {
    id: 'watsonx',
    file: 'watsonx/watsonx',
  },
  {
    id: '302ai',
    file: 'openai-like/302ai',
  },
  {
    id: 'ai21',
    file: 'openai-like/ai21',
    models: ['jamba-'],
  },
  {
    id: 'aibadgr',
    file: 'openai-like/aibadgr',
  },
  {
    id: 'anyscale',
    file: 'openai-like/anyscale',
  },
  {
    id: 'bytez',
    file: 'openai-like/bytez',
  },
  {
    id: 'cerebras',
    file: 'openai-like/cerebras',
  },
  {
    id: 'cometapi',
    file: 'openai-like/cometapi',
  },
  {
    id: 'cortex',
    file: 'openai-like/cortex',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'dashscope',
    file: 'openai-like/dashscope',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'deepbricks',
    file: 'openai-like/deepbricks',
  },
  {
    id: 'deepinfra',
    file: 'openai-like/deepinfra',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'deepseek',
    file: 'openai-like/deepseek',
    models: ['deepseek-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'featherless-ai',
    file: 'openai-like/featherless-ai',
  },
  {
    id: 'fireworks-ai',
    file: 'openai-like/fireworks-ai',
  },
  {
    id: 'github',
    file: 'openai-like/github',
  },
  {
    id: 'groq',
    file: 'openai-like/groq',
  },
  {
    id: 'huggingface',
    file: 'openai-like/huggingface',
  },
  {
    id: 'hyperbolic',
    file: 'openai-like/hyperbolic',
  },
  {
    id: 'inference-net',
    file: 'openai-like/inference-net',
  },
  {
    id: 'iointelligence',
    file: 'openai-like/iointelligence',
  },
  {
    id: 'jina',
    file: 'openai-like/jina',
    models: ['jina-'],
  },
  {
    id: 'kluster-ai',
    file: 'openai-like/kluster-ai',
  },
  {
    id: 'krutrim',
    file: 'openai-like/krutrim',
  },
  {
    id: 'lambda',
    file: 'openai-like/lambda',
  },
  {
    id: 'lemonfox-ai',
    file: 'openai-like/lemonfox-ai',
  },
  {
    id: 'lepton',
    file: 'openai-like/lepton',
  },
  {
    id: 'lingyi',
    file: 'openai-like/lingyi',
    models: ['yi-'],
  },
  {
    id: 'litellm',
    file: 'openai-like/litellm',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'llama.cpp',
    file: 'openai-like/llama.cpp',
    aliases: ['llama-cpp'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'lmstudio',
    file: 'openai-like/lmstudio',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'matterai',
    file: 'openai-like/matterai',
  },
  {
    id: 'minimax',
    file: 'openai-like/minimax',
    models: ['MiniMax-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'modal',
    file: 'openai-like/modal',
  },
  {
    id: 'monsterapi',
    file: 'openai-like/monsterapi',
  },
  {
    id: 'moonshot',
    file: 'openai-like/moonshot',
    models: ['kimi-', 'moonshot-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'ncompass',
    file: 'openai-like/ncompass',
  },
  {
    id: 'nebius',
    file: 'openai-like/nebius',
  },
  {
    id: 'nextbit',
    file: 'openai-like/nextbit',
  },
  {
    id: 'novita-ai',
    file: 'openai-like/novita-ai',
  },
  {
    id: 'nscale',
    file: 'openai-like/nscale',
  },
  {
    id: 'nvidia',
    file: 'openai-like/nvidia',
  },
  {
    id: 'ollama',
    file: 'openai-like/ollama',
  },
  {
    id: 'openai',
    file: 'openai-like/openai',
    aliases: ['llmv'],
    models: [
      'gpt-',
      'chatgpt-',
      'o1',
      'o3',
      'o4',
      'text-embedding-3-',
      'text-embedding-ada-',
      'dall-e',
      'whisper',
      'tts-',
      'omni-',
      'ft:gpt-',
    ],
    clientHeaders: ['openai-beta'],
  },
  {
    id: 'openai-compatible',
    file: 'openai-like/openai-compatible',
  },
  {
    id: 'openrouter',
    file: 'openai-like/openrouter',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'ovhcloud',
    file: 'openai-like/ovhcloud',
  },
  {
    id: 'perplexity-ai',
    file: 'openai-like/perplexity-ai',
    aliases: ['perplexity'],
    models: ['sonar', 'perplexity/'],
  },
  {
    id: 'predibase',
    file: 'openai-like/predibase',
  },
  {
    id: 'reka-ai',
    file: 'openai-like/reka-ai',
  },
  {
    id: 'sambanova',
    file: 'openai-like/sambanova',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'siliconflow',
    file: 'openai-like/siliconflow',
  },
  {
    id: 'together-ai',
    file: 'openai-like/together-ai',
    aliases: ['together'],
  },
  {
    id: 'triton',
    file: 'openai-like/triton',
  },
  {
    id: 'upstage',
    file: 'openai-like/upstage',
    models: ['solar-'],
  },
  {
    id: 'vercel',
    file: 'openai-like/vercel',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'vllm',
    file: 'openai-like/vllm',
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'voyage',
    file: 'openai-like/voyage',
    models: ['voyage-', 'rerank-'],
  },
  {
    id: 'workers-ai',
    file: 'openai-like/workers-ai',
    aliases: ['cloudflare'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'x-ai',
    file: 'openai-like/x-ai',
    aliases: ['xai', 'grok'],
    models: ['grok-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'z-ai',
    file: 'openai-like/z-ai',
    models: ['glm-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'zhipu',
    file: 'openai-like/zhipu',
    models: ['glm-', 'cogview-', 'cogvideox-'],
    clientHeaders: ['anthropic-beta', 'anthropic-version'],
  },
  {
    id: 'meshy',
    file: 'passed-through/meshy',
  },
  {
    id: 'milvus',
    file: 'passed-through/milvus',
  },
  {
    id: 'palm',
    file: 'passed-through/palm',
  },
  {
    id: 'qdrant',
    file: 'passed-through/qdrant',
  },
  {
    id: 'replicate',
    file: 'passed-through/replicate',
  },
  {
    id: 'segmind',
    file: 'passed-through/segmind',
  },
  {
    id: 'tripo3d',
    file: 'passed-through/tripo3d',
  },
];
