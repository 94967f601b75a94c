import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/**
 * https://api.jina.ai/docs, https://jina.ai/reranker. Lists are not split, because with `late_chunking` all texts of a request
 * are one document.
 */
export const jina: Provider = openaiCompatible({
  id: 'jina',
  documentation: 'https://api.jina.ai/docs',
  baseUrl: 'https://api.jina.ai/v1',
  operations: ['embeddings', 'rerank'],
  embeddings: {
    purpose: {
      member: 'task',
      words: {
        query: 'retrieval.query',
        document: 'retrieval.passage',
        similarity: 'text-matching',
        classification: 'classification',
        clustering: 'separation',
      },
    },
    encoding: { member: 'embedding_type', words: { float: 'float', base64: 'base64' } },
  },
  models: ['jina-'],
  // Errors are a text: `{"detail": "…"}`.
  errorsVary: true,
});
