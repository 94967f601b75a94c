import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyage: Provider = openaiCompatible({
  id: 'voyage',
  documentation: 'https://docs.voyageai.com/reference/embeddings-api',
  baseUrl: 'https://api.voyageai.com/v1',
  operations: ['embeddings'],
  embeddings: {
    dimensions: 'output_dimension',
    purpose: { member: 'input_type', words: { query: 'query', document: 'document' } },
    // It knows base64; without it, vectors are lists of numbers.
    encoding: { member: 'encoding_format', words: { base64: 'base64' } },
  },
  maxTexts: 1000,
  models: ['voyage-'],
  unconfirmed: ['errors'],
});
