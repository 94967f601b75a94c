import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.anyscale.com */
export const anyscale: Provider = openaiCompatible({
  id: 'anyscale',
  documentation: 'https://docs.anyscale.com',
  baseUrl: 'https://api.endpoints.anyscale.com/v1',
  operations: ['chat', 'completions', 'embeddings'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
