import type { Provider } from '../../sdk/provider/provider.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.litellm.ai/docs/supported_endpoints */
export const litellm: Provider = openaiCompatible({
  id: 'litellm',
  documentation: 'https://docs.litellm.ai/docs/supported_endpoints',
  baseUrl: 'http://localhost:4000/v1',
  credential: 'optional',
  operations: [
    ...(['chat', 'responses', 'completions', 'embeddings', 'messages', 'messages-count', 'responses-count'] as const),
    ...(['moderations', 'rerank', 'images'] as const),
  ],
  // https://docs.litellm.ai/docs/realtime
  hasRealtime: true,
  unconfirmed: ['developers', 'lacks'],
  // Its own paths create keys, users and models: https://docs.litellm.ai/docs/proxy/virtual_keys
  changesAccount: onlyOpenaiCalls,
});
