import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyage: Provider = openaiCompatible({
  id: 'voyage',
  documentation: 'https://docs.voyageai.com/reference/embeddings-api',
  baseUrl: 'https://api.voyageai.com/v1',
  operations: ['embeddings'],
  models: ['voyage-'],
  // They are a text: `{"detail": "…"}`.
  errorsVary: true,
});
