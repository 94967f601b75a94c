import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { customToolLosses } from '../shared/custom-tool-losses.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { mistralBody } from './mistral-body.ts';

/**
 * The ids of files are its own: https://docs.mistral.ai/capabilities/document_ai/document_qna. Tools are functions, beside those
 * that it runs itself: https://docs.mistral.ai/api
 */
const lacks: readonly LackedContent[] = ['video', 'stored-file', 'custom-tool'];

/** https://docs.mistral.ai/api */
export const mistralAi: Provider = defineProvider({
  ...openaiCompatible({
    id: 'mistral-ai',
    aliases: ['mistral'],
    documentation: 'https://docs.mistral.ai/api',
    baseUrl: 'https://api.mistral.ai/v1',
    operations: ['chat', 'embeddings', 'moderations', 'ocr'],
    // https://docs.mistral.ai/api/endpoint/embeddings
    embeddings: { dimensions: 'output_dimension' },
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
  lacks: { chat: lacks },
  // Deltas may have no role, and calls neither a type nor a place: https://docs.mistral.ai/capabilities/function_calling. The content of models
  // that reason is a list: https://docs.mistral.ai/capabilities/reasoning
  leavesOut: {
    chat: ['role', 'call-index', 'call-type', 'plain-content'],
    // Its categories are its own: https://docs.mistral.ai/capabilities/guardrailing
    moderations: ['flagged'],
  },
  losses: [
    { member: 'turns.parts.media', why: 'A file that another service stores cannot be sent.' },
    ...customToolLosses(lacks),
    { member: 'choices.parts', why: "Clients of OpenAI's format get no parts of an answer but texts and thinking." },
  ],
  listedAs: 'mistral',
  alwaysReportsUsage: true,
  // Its errors have no member `error`: https://docs.mistral.ai/api/#tag/errors
  errorsVary: true,
  adaptsOwn: ['chat'],
  adapt: (body, dialect) => (dialect === 'chat' ? mistralBody(body) : body),
});
