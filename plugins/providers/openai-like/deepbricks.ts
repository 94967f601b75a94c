import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://deepbricks.ai */
export const deepbricks: Provider = openaiCompatible({
  id: 'deepbricks',
  documentation: 'https://deepbricks.ai',
  baseUrl: 'https://api.deepbricks.ai/v1',
  operations: ['chat', 'images'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
