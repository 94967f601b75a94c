import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://console.groq.com/docs/openai */
export const groq: Provider = openaiCompatible({
  id: 'groq',
  documentation: 'https://console.groq.com/docs/openai',
  baseUrl: 'https://api.groq.com/openai/v1',
  operations: ['chat', 'speech', 'transcriptions', 'translations'],
  drop: ['logprobs', 'logit_bias', 'top_logprobs'],
  developers: true,
  // Its content can be texts, images, and documents in its own form. Its tools are functions and tools of its own:
  // https://console.groq.com/docs/api-reference#chat-create
  lacks: ['document', 'audio', 'video', 'custom-tool'],
});
