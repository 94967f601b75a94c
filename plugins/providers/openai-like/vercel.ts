import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://vercel.com/docs/ai-gateway/openai-compat */
export const vercel: Provider = openaiCompatible({
  id: 'vercel',
  documentation: 'https://vercel.com/docs/ai-gateway/openai-compat',
  baseUrl: 'https://ai-gateway.vercel.sh/v1',
  operations: ['chat', 'responses', 'embeddings', 'messages', 'rerank'],
  unconfirmed: ['developers', 'lacks', 'errors'],
});
