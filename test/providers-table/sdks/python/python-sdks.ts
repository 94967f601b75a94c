import type { PythonSdk } from './python-sdk.ts';

/** The same library for both of the vendor's services. */
const zaiSdk = {
  library: 'zai-sdk',
  writesOut: {
    chat: { response_format: null, thinking: null },
    speech: { encode_format: null, request_id: null, response_format: null, speed: 1, user_id: null, volume: 1 },
  },
} as const;

/** The Python libraries that `npm run providers:sdks` installs. */
export const pythonSdks: readonly PythonSdk[] = [
  { library: 'dashscope', provider: 'dashscope', module: 'dashscope_v2', dialects: ['chat', 'messages'] },
  {
    library: 'fireworks-ai',
    provider: 'fireworks-ai',
    module: 'fireworks_ai',
    dialects: ['chat', 'completions'],
  },
  { library: 'jina-cli', provider: 'jina', module: 'jina', dialects: ['rerank'] },
  { library: 'krutrim-cloud', provider: 'krutrim', module: 'krutrim', dialects: ['chat'] },
  {
    library: 'nomic',
    provider: 'nomic',
    module: 'nomic_text',
    dialects: ['nomic-embeddings'],
    writesOut: {
      'nomic-embeddings': { dimensionality: null, long_text_mode: 'truncate', task_type: 'search_document' },
    },
  },
  { library: 'novita', provider: 'novita-ai', module: 'novita', dialects: ['chat', 'completions', 'embeddings'] },
  { library: 'oci-openai', provider: 'oracle', module: 'oracle', dialects: ['chat', 'responses'] },
  {
    library: 'litellm',
    provider: 'litellm',
    module: 'litellm_proxy',
    dialects: ['chat', 'responses', 'embeddings', 'rerank', 'images'],
    writesOut: { rerank: { return_documents: true } },
  },
  {
    library: 'sambanova',
    provider: 'sambanova',
    module: 'sambanova_api',
    dialects: ['chat', 'completions', 'embeddings', 'messages', 'messages-count', 'responses'],
  },
  { ...zaiSdk, provider: 'z-ai', module: 'z_ai', dialects: ['chat', 'images', 'transcriptions'] },
  {
    ...zaiSdk,
    provider: 'zhipu',
    module: 'zhipu',
    dialects: ['chat', 'embeddings', 'images', 'speech', 'transcriptions'],
  },
];
