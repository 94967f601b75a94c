import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.deepinfra.com/api-reference/chat-completions/openai-chat-completions */
export const deepinfra: Provider = openaiCompatible({
  id: 'deepinfra',
  documentation: 'https://docs.deepinfra.com/api-reference/chat-completions/openai-chat-completions',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages', 'images'],
  basePaths: { responses: '/v1', messages: '/anthropic/v1' },
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options'],
});
