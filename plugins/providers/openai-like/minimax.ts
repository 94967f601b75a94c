import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/**
 * https://platform.minimax.io/docs/api-reference/text-openai-api. `custom_host: "https://api.minimaxi.com/v1"` is its service in
 * China.
 */
export const minimax: Provider = openaiCompatible({
  id: 'minimax',
  documentation: 'https://platform.minimax.io/docs/api-reference/text-openai-api',
  baseUrl: 'https://api.minimax.io/v1',
  operations: ['chat', 'responses', 'messages'],
  basePaths: { messages: '/anthropic/v1' },
  models: ['MiniMax-'],
  // These have no effect: https://platform.minimax.io/docs/api-reference/text-openai-api
  drop: ['presence_penalty', 'frequency_penalty', 'logit_bias'],
  lacks: ['audio', 'document'],
  // Errors have a member `type` beside the error, and an HTTP status code inside it.
  errorsVary: true,
  unconfirmed: ['developers', 'lacks'],
});
