import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.z.ai/api-reference/llm/chat-completion */
export const zAi: Provider = openaiCompatible({
  id: 'z-ai',
  documentation: 'https://docs.z.ai/api-reference/llm/chat-completion',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  // Transcriptions: https://docs.z.ai/api-reference/audio/audio-transcriptions
  operations: ['chat', 'messages', 'images', 'transcriptions'],
  // https://docs.z.ai/devpack/tool/claude
  basePaths: { messages: '/api/anthropic/v1' },
  models: ['glm-'],
  // Its API documents none of these: https://docs.z.ai/api-reference/llm/chat-completion
  drop: ['max_completion_tokens', 'presence_penalty', 'frequency_penalty', 'seed'],
  // Errors have a number of its own as their code, and the outer `error` may be missing.
  errorsVary: true,
  // An answer may end with `sensitive`: https://docs.z.ai/api-reference/llm/chat-completion
  leavesOut: { chat: ['finish-reason'] },
  listedAs: 'zai',
  // https://docs.z.ai/guides/capabilities/thinking-mode
  reasoningMember: 'reasoning_content',
  unconfirmed: ['drop', 'lacks', 'stream_options'],
});
