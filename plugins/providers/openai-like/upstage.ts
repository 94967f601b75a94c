import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://console.upstage.ai/docs/capabilities/chat */
export const upstage: Provider = openaiCompatible({
  id: 'upstage',
  documentation: 'https://console.upstage.ai/docs/capabilities/chat',
  baseUrl: 'https://api.upstage.ai/v1',
  operations: ['chat', 'embeddings'],
  models: ['solar-'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
