import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.kluster.ai */
export const klusterAi: Provider = openaiCompatible({
  id: 'kluster-ai',
  documentation: 'https://docs.kluster.ai',
  baseUrl: 'https://api.kluster.ai/v1',
  operations: ['chat', 'embeddings'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
