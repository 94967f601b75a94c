import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.matterai.so */
export const matterai: Provider = openaiCompatible({
  id: 'matterai',
  documentation: 'https://docs.matterai.so',
  baseUrl: 'https://api.matterai.so/v1',
  operations: ['chat'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
