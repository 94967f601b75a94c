import type { Provider } from '../sdk/provider.ts';
import { openaiCompatible } from './openai-compatible.ts';

/**
 * https://docs.ollama.com/api/openai-compatibility. It has no default address, so a target names its host
 * (`custom_host: "http://127.0.0.1:11434/v1"`), and a key only if a proxy in front of it requires one.
 */
export const ollama: Provider = openaiCompatible({
  id: 'ollama',
  documentation: 'https://docs.ollama.com/api/openai-compatibility',
  operations: ['chat', 'completions', 'embeddings'],
  credential: 'optional',
  // It ignores the newer name of the limit of tokens, so it gets the older one.
  drop: ['max_completion_tokens'],
  // A message with other content than texts and images is answered with an error.
  lacks: ['document', 'video'],
});
