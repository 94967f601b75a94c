import type { Provider } from '../../sdk/provider/provider.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://lmstudio.ai/docs/developer/openai-compat */
export const lmstudio: Provider = openaiCompatible({
  id: 'lmstudio',
  documentation: 'https://lmstudio.ai/docs/developer/openai-compat',
  baseUrl: 'http://localhost:1234/v1',
  credential: 'optional',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages'],
  // Errors are a text: `{"error": "…"}`.
  errorsVary: true,
  unconfirmed: ['lacks'],
  // Its own paths load models: https://lmstudio.ai/docs/developer/rest
  changesAccount: onlyOpenaiCalls,
});
