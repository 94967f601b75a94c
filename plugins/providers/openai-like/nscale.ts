import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.nscale.com */
export const nscale: Provider = openaiCompatible({
  id: 'nscale',
  documentation: 'https://docs.nscale.com',
  baseUrl: 'https://inference.api.nscale.com/v1',
  operations: ['chat', 'images'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
