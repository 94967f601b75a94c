import type { Provider } from '../sdk/provider.ts';
import { openaiCompatible } from './openai-compatible.ts';

/**
 * https://docs.ollama.com/api/openai-compatibility. It runs wherever its owner put it, so a target names its host
 * (`custom_host: "http://127.0.0.1:11434/v1"`), and a key only where something in front of it asks for one.
 */
export const ollama: Provider = openaiCompatible({
  id: 'ollama',
  documentation: 'https://docs.ollama.com/api/openai-compatibility',
  operations: ['chat', 'embeddings'],
  credential: 'optional',
});
