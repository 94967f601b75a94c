import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://cloud.olakrutrim.com */
export const krutrim: Provider = openaiCompatible({
  id: 'krutrim',
  documentation: 'https://cloud.olakrutrim.com',
  baseUrl: 'https://cloud.olakrutrim.com/v1',
  operations: ['chat'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
