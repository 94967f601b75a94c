import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.bytez.com/http-reference/examples/openai-compliant/chatCompletionsExample */
export const bytez: Provider = openaiCompatible({
  id: 'bytez',
  documentation: 'https://docs.bytez.com/http-reference/examples/openai-compliant/chatCompletionsExample',
  baseUrl: 'https://api.bytez.com/models/v2/openai/v1',
  operations: ['chat', 'completions'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
