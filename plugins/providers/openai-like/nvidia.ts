import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://docs.api.nvidia.com/nim/reference/llm-apis */
export const nvidia: Provider = openaiCompatible({
  id: 'nvidia',
  documentation: 'https://docs.api.nvidia.com/nim/reference/llm-apis',
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  operations: ['chat', 'completions', 'embeddings'],
  // The services behind it answer in several forms.
  errorsVary: true,
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options'],
});
