import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.github.com/en/rest/models/inference */
export const github: Provider = openaiCompatible({
  id: 'github',
  documentation: 'https://docs.github.com/en/rest/models/inference',
  baseUrl: 'https://models.github.ai/inference',
  operations: ['chat', 'embeddings'],
  closed: '2026-07-30',
  unconfirmed: ['drop', 'lacks', 'closed'],
});
