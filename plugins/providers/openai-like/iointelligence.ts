import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.io.net */
export const iointelligence: Provider = openaiCompatible({
  id: 'iointelligence',
  documentation: 'https://docs.io.net',
  baseUrl: 'https://api.intelligence.io.solutions/api/v1',
  operations: ['chat', 'embeddings'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
