import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://featherless.ai/docs/api-overview-and-common-options */
export const featherlessAi: Provider = openaiCompatible({
  id: 'featherless-ai',
  documentation: 'https://featherless.ai/docs/api-overview-and-common-options',
  baseUrl: 'https://api.featherless.ai/v1',
  operations: ['chat', 'completions'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
