import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://www.lemonfox.ai/apis/llm */
export const lemonfoxAi: Provider = openaiCompatible({
  id: 'lemonfox-ai',
  documentation: 'https://www.lemonfox.ai/apis/llm',
  baseUrl: 'https://api.lemonfox.ai/v1',
  operations: ['chat', 'images'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
