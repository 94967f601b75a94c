import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://doc.302.ai */
export const ai302: Provider = openaiCompatible({
  id: '302ai',
  documentation: 'https://doc.302.ai',
  baseUrl: 'https://api.302.ai/v1',
  operations: ['chat'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
