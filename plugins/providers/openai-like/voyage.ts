import type { JsonObject } from '../../../schema/json/json.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** The most results are `top_k`: https://docs.voyageai.com/reference/reranker-api */
const withOwnCount = (body: JsonObject): JsonObject => {
  const { top_n: count, ...rest } = body;
  return count === undefined ? body : { top_k: count, ...rest };
};

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyage: Provider = defineProvider({
  ...openaiCompatible({
    id: 'voyage',
    documentation: 'https://docs.voyageai.com/reference/embeddings-api',
    baseUrl: 'https://api.voyageai.com/v1',
    operations: ['embeddings', 'rerank'],
    models: ['voyage-', 'rerank-'],
    // Members of Cohere's rerank that it does not have, and refuses: https://docs.voyageai.com/reference/reranker-api
    drop: ['max_tokens_per_doc', 'max_chunks_per_doc', 'rank_fields', 'priority'],
    // They are a text: `{"detail": "…"}`.
    errorsVary: true,
  }),
  adaptsOwn: ['rerank'],
  adapt: (body, dialect) => (dialect === 'rerank' ? withOwnCount(body) : body),
  leavesOut: { rerank: ['results'] },
});
