import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://docs.together.ai/docs/inference/openai-compatibility */
export const togetherAi: Provider = openaiCompatible({
  id: 'together-ai',
  aliases: ['together'],
  documentation: 'https://docs.together.ai/docs/inference/openai-compatibility',
  baseUrl: 'https://api.together.ai/v1',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'rerank'],
  // It knows the older name of the limit of tokens alone: https://docs.together.ai/reference/chat-completions-1
  drop: ['max_completion_tokens'],
  // Only functions are tools: https://docs.together.ai/docs/inference/openai-compatibility
  lacks: ['document', 'custom-tool'],
  listedAs: 'together',
  unconfirmed: ['drop', 'stream_options'],
});
