import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://www.lepton.ai/docs */
export const lepton: Provider = openaiCompatible({
  id: 'lepton',
  documentation: 'https://www.lepton.ai/docs',
  baseUrl: 'https://api.lepton.ai/api/v1',
  operations: ['chat', 'completions'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
