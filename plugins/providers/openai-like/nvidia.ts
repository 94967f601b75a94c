import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.api.nvidia.com/nim/reference/llm-apis */
export const nvidia: Provider = openaiCompatible({
  id: 'nvidia',
  documentation: 'https://docs.api.nvidia.com/nim/reference/llm-apis',
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  operations: ['chat', 'completions', 'embeddings'],
  // Models that distinguish queries from documents require it:
  // https://docs.nvidia.com/nim/nemo-retriever/text-embedding/latest/reference.html
  embeddings: {
    purpose: { member: 'input_type', words: { query: 'query', document: 'passage' }, default: 'passage' },
  },
  // The services behind it return errors in several formats.
  errorsVary: true,
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options'],
});
