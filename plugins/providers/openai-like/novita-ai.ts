import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://novita.ai/docs/api-reference/model-apis-llm-create-chat-completion */
export const novitaAi: Provider = openaiCompatible({
  id: 'novita-ai',
  documentation: 'https://novita.ai/docs/api-reference/model-apis-llm-create-chat-completion',
  baseUrl: 'https://api.novita.ai/v3/openai',
  operations: ['chat', 'completions', 'embeddings', 'rerank'],
  // https://novita.ai/docs/api-reference/model-apis-llm-create-rerank
  basePaths: { rerank: '/openai/v1' },
  listedAs: 'novita',
  // https://novita.ai/docs/guides/llm-interleaved-thinking
  reasoningMember: 'reasoning_content',
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
