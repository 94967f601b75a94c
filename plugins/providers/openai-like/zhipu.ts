import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.bigmodel.cn/cn/api/introduction */
export const zhipu: Provider = openaiCompatible({
  id: 'zhipu',
  documentation: 'https://docs.bigmodel.cn/cn/api/introduction',
  baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
  // Audio: https://docs.bigmodel.cn/cn/guide/models/sound-and-video/glm-asr-2512
  operations: ['chat', 'embeddings', 'messages', 'images', 'speech', 'transcriptions'],
  // https://docs.z.ai/devpack/tool/claude
  basePaths: { messages: '/api/anthropic/v1' },
  // https://docs.bigmodel.cn/cn/guide/models/embedding/embedding-3
  maxTexts: 64,
  models: ['glm-', 'cogview-', 'cogvideox-'],
  // Its API documents none of these: https://docs.z.ai/api-reference/llm/chat-completion
  drop: ['max_completion_tokens', 'presence_penalty', 'frequency_penalty', 'seed'],
  // Errors have a number of its own as their code, and the outer `error` may be missing.
  errorsVary: true,
  // An answer may end with `sensitive`: https://docs.z.ai/api-reference/llm/chat-completion
  leavesOut: { chat: ['finish-reason'] },
  listedAs: 'zhipuai',
  // https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode
  reasoningMember: 'reasoning_content',
  unconfirmed: ['drop', 'lacks', 'stream_options'],
});
