import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/**
 * https://docs.perplexity.ai/docs/agent-api/openai-compatibility. Its chat completions ended on 27 September 2026, so chats
 * become requests of its Agent API.
 */
export const perplexityAi: Provider = openaiCompatible({
  id: 'perplexity-ai',
  aliases: ['perplexity'],
  documentation: 'https://docs.perplexity.ai/docs/agent-api/openai-compatibility',
  baseUrl: 'https://api.perplexity.ai/v1',
  operations: ['responses', 'embeddings'],
  models: ['sonar', 'perplexity/'],
  listedAs: 'perplexity',
  unconfirmed: ['drop', 'errors'],
});
