import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.inference.net */
export const inferenceNet: Provider = openaiCompatible({
  id: 'inference-net',
  documentation: 'https://docs.inference.net',
  baseUrl: 'https://api.inference.net/v1',
  operations: ['chat'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
