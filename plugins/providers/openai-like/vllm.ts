import type { Provider } from '../../sdk/provider/provider.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html */
export const vllm: Provider = openaiCompatible({
  id: 'vllm',
  documentation: 'https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html',
  baseUrl: 'http://localhost:8000/v1',
  credential: 'optional',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages', 'rerank'],
  // Tools are functions: https://docs.vllm.ai/en/stable/features/tool_calling.html
  lacks: ['document', 'custom-tool'],
  // https://docs.vllm.ai/en/stable/features/interleaved_thinking
  reasoningMember: 'reasoning',
  // In versions before 0.10.1, errors have no member `error`.
  errorsVary: true,
  // Its own paths load adapters and put it to sleep: https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html
  changesAccount: onlyOpenaiCalls,
});
