import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://api-docs.deepseek.com/api/create-chat-completion */
export const deepseek: Provider = openaiCompatible({
  id: 'deepseek',
  documentation: 'https://api-docs.deepseek.com/api/create-chat-completion',
  baseUrl: 'https://api.deepseek.com',
  operations: ['chat', 'responses', 'completions', 'messages'],
  // https://api-docs.deepseek.com/guides/fim_completion
  paths: { completions: '/beta/completions' },
  // https://api-docs.deepseek.com/guides/anthropic_api
  basePaths: { messages: '/anthropic/v1' },
  models: ['deepseek-'],
  // It rejects other types than functions: https://api-docs.deepseek.com/api/create-chat-completion
  lacks: ['custom-tool'],
  // It refuses calls without their reasoning: https://api-docs.deepseek.com/guides/thinking_mode
  reasoningMember: 'reasoning_content',
});
