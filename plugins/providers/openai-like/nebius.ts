import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.tokenfactory.nebius.com/api-reference/introduction */
export const nebius: Provider = openaiCompatible({
  id: 'nebius',
  documentation: 'https://docs.tokenfactory.nebius.com/api-reference/introduction',
  baseUrl: 'https://api.tokenfactory.nebius.com/v1',
  operations: ['chat', 'completions', 'embeddings'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
