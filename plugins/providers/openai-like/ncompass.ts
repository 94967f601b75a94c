import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.ncompass.tech */
export const ncompass: Provider = openaiCompatible({
  id: 'ncompass',
  documentation: 'https://docs.ncompass.tech',
  baseUrl: 'https://api.ncompass.tech/v1',
  operations: ['chat'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
