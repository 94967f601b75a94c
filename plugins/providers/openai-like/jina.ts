import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://jina.ai/embeddings, https://jina.ai/reranker */
export const jina: Provider = openaiCompatible({
  id: 'jina',
  documentation: 'https://jina.ai/embeddings',
  baseUrl: 'https://api.jina.ai/v1',
  operations: ['embeddings', 'rerank'],
  models: ['jina-'],
  // They are a text: `{"detail": "…"}`.
  errorsVary: true,
});
