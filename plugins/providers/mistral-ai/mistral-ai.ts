import type { JsonObject } from '../../../schema/json/json.ts';
import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import { defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { customToolLosses } from '../shared/custom-tool-losses.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { chatFimBody, completionsFimBody } from './fim-body.ts';
import { mistralBody } from './mistral-body.ts';

/**
 * It accepts only ids of its own files: https://docs.mistral.ai/capabilities/document_ai/document_qna. Tools are functions, or
 * tools that it runs itself: https://docs.mistral.ai/api
 */
const lacks: readonly LackedContent[] = ['video', 'stored-file', 'custom-tool'];

/** It answers 422 to members that it does not know: https://docs.mistral.ai/api/#tag/chat */
const chatDrop: readonly string[] = [
  ...['max_completion_tokens', 'logit_bias', 'logprobs', 'top_logprobs', 'user', 'service_tier', 'store', 'modalities'],
  ...['audio', 'web_search_options', 'prompt_cache_key', 'safety_identifier', 'verbosity'],
];

/** It returns one text, which contains only code: https://docs.mistral.ai/api/endpoint/fim */
const fimDrop: readonly string[] = [
  ...chatDrop,
  ...['n', 'best_of', 'echo', 'frequency_penalty', 'presence_penalty', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['response_format', 'prediction', 'reasoning_effort', 'prompt_mode', 'safe_prompt'],
];

const fimPath = '/fim/completions';

/** Whether all conversations and completions of a target are for fill-in-the-middle. */
const onlyFills = ({ mistral_fim_completion: fim }: JsonObject): boolean => fim === true;

/** Whether a model can fill in. Only code models can: https://docs.mistral.ai/capabilities/code_generation */
const fills = (model = ''): boolean => /^(?:ft:)?codestral-(?!embed|mamba)/.test(model);

const chat: Endpoint = ({ settings }) => (onlyFills(settings) ? fimPath : '/chat/completions');

const row = openaiCompatible({
  id: 'mistral-ai',
  aliases: ['mistral'],
  documentation: 'https://docs.mistral.ai/api',
  baseUrl: 'https://api.mistral.ai/v1',
  operations: ['chat', 'completions', 'embeddings', 'moderations', 'ocr'],
  paths: { completions: fimPath },
  // https://docs.mistral.ai/api/endpoint/embeddings
  embeddings: { dimensions: 'output_dimension' },
  models: ['mistral-', 'ministral-', 'magistral-', 'codestral-', 'devstral-', 'pixtral-', 'open-mi', 'voxtral-'],
});

/** https://docs.mistral.ai/api */
export const mistralAi: Provider = defineProvider({
  ...row,
  speaks: { ...row.speaks, chat },
  // Prompts for other models become chats.
  dialectsOf: (model, settings) =>
    Object.keys(row.speaks).filter((id) => id !== 'completions' || onlyFills(settings) || fills(model)),
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      mistral_fim_completion: {
        type: 'boolean',
        description: 'Whether chats and text completions are for fill-in-the-middle, whichever model they name.',
      },
    },
  },
  drop: (settings, dialect) => (dialect === 'completions' || onlyFills(settings) ? fimDrop : chatDrop),
  lacks: { chat: lacks },
  // https://docs.mistral.ai/capabilities/document_ai/document_qna
  loadsFiles: true,
  // Deltas may have no role, and calls neither a type nor an index: https://docs.mistral.ai/capabilities/function_calling. The
  // content of models that reason is a list: https://docs.mistral.ai/capabilities/reasoning
  leavesOut: {
    chat: ['role', 'call-index', 'call-type', 'plain-content', 'finish-reason'],
    // Its answers have the format of chats: https://docs.mistral.ai/api/endpoint/fim
    completions: ['text'],
    // It has categories of its own: https://docs.mistral.ai/capabilities/guardrailing
    moderations: ['flagged'],
  },
  losses: [
    { member: 'turns.parts.media', why: 'A file that another service stores cannot be sent.' },
    ...customToolLosses(lacks),
    {
      member: 'choices.parts',
      why: "Clients of OpenAI's format receive only the texts and the thinking of an answer.",
    },
  ],
  listedAs: 'mistral',
  alwaysReportsUsage: true,
  // Its errors have no member `error`: https://docs.mistral.ai/api/#tag/errors
  errorsVary: true,
  adaptsOwn: ['chat', 'completions'],
  adapt(body, dialect, settings) {
    if (dialect === 'completions') return completionsFimBody(body);
    if (dialect !== 'chat') return body;
    return onlyFills(settings) ? chatFimBody(body) : mistralBody(body);
  },
});
