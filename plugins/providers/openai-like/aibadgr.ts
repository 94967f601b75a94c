import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://aibadgr.com */
export const aibadgr: Provider = openaiCompatible({
  id: 'aibadgr',
  documentation: 'https://aibadgr.com',
  baseUrl: 'https://aibadgr.com/api/v1',
  operations: ['chat'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
