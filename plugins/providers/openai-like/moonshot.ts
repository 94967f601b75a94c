import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/**
 * https://platform.kimi.ai/docs/api/chat. `custom_host: "https://api.moonshot.cn/v1"` is its service in China, which has separate
 * keys.
 */
export const moonshot: Provider = openaiCompatible({
  id: 'moonshot',
  documentation: 'https://platform.kimi.ai/docs/api/chat',
  baseUrl: 'https://api.moonshot.ai/v1',
  operations: ['chat', 'responses', 'messages'],
  basePaths: { messages: '/anthropic/v1' },
  models: ['kimi-', 'moonshot-'],
  listedAs: 'moonshotai',
  // It refuses calls without their reasoning: https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
  reasoningMember: 'reasoning_content',
  unconfirmed: ['lacks'],
});
