import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://platform.lingyiwanwu.com/docs */
export const lingyi: Provider = openaiCompatible({
  id: 'lingyi',
  documentation: 'https://platform.lingyiwanwu.com/docs',
  baseUrl: 'https://api.lingyiwanwu.com/v1',
  operations: ['chat'],
  models: ['yi-'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
