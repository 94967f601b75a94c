import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.hyperbolic.xyz/docs/rest-api */
export const hyperbolic: Provider = openaiCompatible({
  id: 'hyperbolic',
  documentation: 'https://docs.hyperbolic.xyz/docs/rest-api',
  baseUrl: 'https://api.hyperbolic.xyz/v1',
  operations: ['chat', 'completions'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
