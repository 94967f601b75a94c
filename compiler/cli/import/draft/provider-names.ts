import { lookUp } from '../../../../schema/json/look-up.ts';

/** The names that other gateways use for a provider, if Gatewright has another name for it. */
const otherNames: Readonly<Record<string, string>> = {
  ai21_chat: 'ai21',
  aiohttp_openai: 'openai',
  azure: 'azure-openai',
  azure_ai: 'azure-ai',
  azure_text: 'azure-openai',
  cohere_chat: 'cohere',
  custom: 'openai-compatible',
  custom_openai: 'openai-compatible',
  fireworks: 'fireworks-ai',
  fireworks_ai: 'fireworks-ai',
  gemini: 'google',
  hosted_vllm: 'vllm',
  jina_ai: 'jina',
  lambda_ai: 'lambda',
  litellm_proxy: 'litellm',
  llamafile: 'llama.cpp',
  lm_studio: 'lmstudio',
  mistral: 'mistral-ai',
  novita: 'novita-ai',
  nvidia_nim: 'nvidia',
  ollama_chat: 'ollama',
  openai_like: 'openai-compatible',
  perplexity: 'perplexity-ai',
  recraft: 'recraft-ai',
  sagemaker_chat: 'sagemaker',
  stability: 'stability-ai',
  'text-completion-openai': 'openai',
  together: 'together-ai',
  together_ai: 'together-ai',
  vercel_ai_gateway: 'vercel',
  vertex: 'vertex-ai',
  vertex_ai: 'vertex-ai',
  vertex_ai_beta: 'vertex-ai',
  xai: 'x-ai',
  zai: 'z-ai',
};

/** Returns Gatewright's name for a provider of another gateway; undefined if it has none. */
export const findProviderName = (name: string, known: ReadonlyMap<string, unknown>): string | undefined => {
  const lower = name.toLowerCase();
  const ours = lookUp(otherNames, lower) ?? (known.has(lower) ? lower : lower.replaceAll('_', '-'));
  return known.has(ours) ? ours : undefined;
};

const byModel: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|chatgpt|o\d|text-embedding-|dall-e|whisper|tts-)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'google'],
  [/^command/, 'cohere'],
  [/^(?:mistral|codestral|ministral|open-mistral)/, 'mistral-ai'],
  [/^deepseek/, 'deepseek'],
];

/** Returns the provider of a model whose name states no provider, by the beginning of the name. */
export const providerOfModel = (model: string): string | undefined =>
  byModel.find(([begins]) => begins.test(model))?.[1];
