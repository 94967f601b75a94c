import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.ai21.com/reference/jamba-1-6-api-ref */
export const ai21: Provider = openaiCompatible({
  id: 'ai21',
  documentation: 'https://docs.ai21.com/reference/jamba-1-6-api-ref',
  baseUrl: 'https://api.ai21.com/studio/v1',
  operations: ['chat'],
  models: ['jamba-'],
  // Its documentation has only the older name of the token limit.
  drop: ['max_completion_tokens'],
  // Its input is text, and its tools are functions: https://docs.ai21.com/reference/jamba-1-6-api-ref
  lacks: ['image', 'document', 'audio', 'video', 'custom-tool'],
  // Errors are a text: `{"detail": "…"}`.
  errorsVary: true,
  unconfirmed: ['drop', 'developers', 'stream_options'],
});
