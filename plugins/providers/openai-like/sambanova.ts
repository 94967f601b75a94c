import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.sambanova.ai/docs/en/features/openai-compatibility */
export const sambanova: Provider = openaiCompatible({
  id: 'sambanova',
  documentation: 'https://docs.sambanova.ai/docs/en/features/openai-compatibility',
  baseUrl: 'https://api.sambanova.ai/v1',
  // Its own library counts tokens: https://github.com/sambanova/sambanova-python
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages', 'messages-count'],
  // None of its models supports them: https://docs.sambanova.ai/docs/en/features/openai-compatibility
  drop: ['logit_bias', 'logprobs', 'top_logprobs', 'n', 'seed'],
  // It has its own form for audio.
  lacks: ['document', 'audio', 'video', 'custom-tool'],
});
