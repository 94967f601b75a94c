import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.reka.ai/chat/api-reference/create-chat-completion */
export const rekaAi: Provider = openaiCompatible({
  id: 'reka-ai',
  documentation: 'https://docs.reka.ai/chat/api-reference/create-chat-completion',
  baseUrl: 'https://api.reka.ai/v1',
  operations: ['chat'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options'],
});
