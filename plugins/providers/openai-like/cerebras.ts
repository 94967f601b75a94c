import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://inference-docs.cerebras.ai/api-reference/chat-completions */
export const cerebras: Provider = openaiCompatible({
  id: 'cerebras',
  documentation: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
  baseUrl: 'https://api.cerebras.ai/v1',
  operations: ['chat', 'completions'],
  // It answers 400 to these: https://inference-docs.cerebras.ai/resources/openai
  drop: ['frequency_penalty', 'logit_bias', 'presence_penalty', 'parallel_tool_calls', 'service_tier'],
  unconfirmed: ['lacks'],
});
