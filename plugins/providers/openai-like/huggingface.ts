import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://huggingface.co/docs/inference-providers/tasks/chat-completion */
export const huggingface: Provider = openaiCompatible({
  id: 'huggingface',
  documentation: 'https://huggingface.co/docs/inference-providers/tasks/chat-completion',
  baseUrl: 'https://router.huggingface.co/v1',
  operations: ['chat', 'responses'],
  // Only functions are tools: https://huggingface.co/docs/inference-providers/tasks/chat-completion
  lacks: ['custom-tool'],
  // Those of the services behind it are a text: `{"error": "…"}`.
  errorsVary: true,
  unconfirmed: ['developers'],
});
