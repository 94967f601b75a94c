import type { Provider } from '../../sdk/provider/provider.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
export const llamaCpp: Provider = openaiCompatible({
  id: 'llama.cpp',
  aliases: ['llama-cpp'],
  documentation: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
  baseUrl: 'http://localhost:8080/v1',
  credential: 'optional',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages', 'messages-count', 'rerank'],
  developers: true,
  // It rejects parts other than text, images, audio and video.
  lacks: ['document'],
  // Its own paths change slots and settings.
  changesAccount: onlyOpenaiCalls,
});
