import { defineProvider, type Provider } from '../../sdk/provider.ts';
import { openaiCompatible } from '../openai-compatible.ts';
import { mistralBody } from './mistral-body.ts';

/** https://docs.mistral.ai/api */
export const mistralAi: Provider = defineProvider({
  ...openaiCompatible({
    id: 'mistral-ai',
    documentation: 'https://docs.mistral.ai/api',
    baseUrl: 'https://api.mistral.ai/v1',
    operations: ['chat', 'embeddings'],
    models: ['mistral-', 'ministral-', 'magistral-', 'codestral-', 'devstral-', 'pixtral-', 'open-mi', 'voxtral-'],
    // It answers 422 to members that it does not know: https://docs.mistral.ai/api/#tag/chat
    drop: [
      'max_completion_tokens',
      'logit_bias',
      'logprobs',
      'top_logprobs',
      'user',
      'service_tier',
      'store',
      'modalities',
      'audio',
      'web_search_options',
      'prompt_cache_key',
      'safety_identifier',
      'verbosity',
    ],
  }),
  // The ids of files are its own: https://docs.mistral.ai/capabilities/document_ai/document_qna
  lacks: { chat: ['video', 'stored-file'] },
  losses: [{ member: 'turns.parts.media', why: 'A file that another service stores cannot be sent.' }],
  listedAs: 'mistral',
  alwaysReportsUsage: true,
  // Its errors have no member `error`: https://docs.mistral.ai/api/#tag/errors
  errorsVary: true,
  adaptsOwn: ['chat'],
  adapt: (body, dialect) => (dialect === 'chat' ? mistralBody(body) : body),
});
