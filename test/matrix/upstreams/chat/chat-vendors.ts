import { type ChatVendor, openaiErrorType } from './chat-vendor.ts';

/** The members that all services below document. */
const common = [
  'model',
  'messages',
  'frequency_penalty',
  'max_tokens',
  'presence_penalty',
  'response_format',
  'seed',
  'stop',
  'stream',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
] as const;

/** Clients send the message of an answer back unchanged, including what the vendor itself added. */
const assistantMembers = ['role', 'content', 'name', 'refusal', 'tool_calls', 'audio', 'prefix'];

const openaiMembers = [
  ...common,
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'metadata',
  'modalities',
  'moderation',
  'n',
  'parallel_tool_calls',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'service_tier',
  'store',
  'stream_options',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
];

/**
 * OpenAI and, because of `reasoning_content`, the many services that use its format and show the reasoning of their models.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const openaiVendor: ChatVendor = {
  path: /\/chat\/completions$/,
  members: openaiMembers,
  unknown: () => 'refused',
  userParts: ['text', 'image_url', 'input_audio', 'file'],
  callIds: /^.{1,40}$/s,
  strictSchemas: true,
  streamUsage: 'requested',
  functionsOnly: false,
  calls: 'openai',
  callMembers: ['id', 'type', 'function'],
  assistantMembers: [...assistantMembers, 'annotations', 'function_call', 'reasoning_content'],
  reasoning: 'reasoning_content',
  hasRefusals: true,
  sendsRetryAfter: true,
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'requests' : openaiErrorType(status),
      param: null,
      code: status === 429 ? 'rate_limit_exceeded' : null,
    },
  }),
};

/** https://learn.microsoft.com/azure/ai-foundry/openai/reference#chat-completions */
export const azureOpenaiVendor: ChatVendor = {
  ...openaiVendor,
  path: /^\/openai\/(?:deployments\/([^/]+)|v1)\/chat\/completions$/,
  opening: {
    prompt_filter_results: [
      { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
    ],
  },
  error: (status, message) => ({ error: { code: String(status), message } }),
};

/**
 * Unsupported members are rejected, dropped or passed on to the model, as a header specifies.
 * https://learn.microsoft.com/rest/api/aifoundry/modelinference/get-chat-completions/get-chat-completions. A resource also
 * serves chats below `/openai/v1`: https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/endpoints
 */
export const azureAiVendor: ChatVendor = {
  ...openaiVendor,
  path: /^(?:\/models|\/openai\/v1)?\/chat\/completions$/,
  members: [...common, 'modalities'],
  unknown: (request) => (request.header('extra-parameters') === 'drop' ? 'dropped' : 'refused'),
  userParts: ['text', 'image_url', 'input_audio'],
  streamUsage: 'always',
  functionsOnly: true,
  assistantMembers: [...assistantMembers, 'reasoning_content'],
  hasRefusals: false,
  sendsRetryAfter: false,
  error: (status, message) => ({ error: { code: String(status), message, status } }),
};

/**
 * https://docs.mistral.ai/api/#tag/chat: calls may lack a type and an index, and unknown members of messages are answered with
 * 422. https://docs.mistral.ai/capabilities/function_calling shows such calls. Call ids are nine letters and digits, otherwise
 * error 3280: https://mistralai.github.io/mistral-common/usage/tools/
 */
export const mistralVendor: ChatVendor = {
  ...openaiVendor,
  members: [
    ...common.filter((name) => name !== 'seed'),
    'guardrails',
    'metadata',
    'n',
    'parallel_tool_calls',
    'prediction',
    'prompt_mode',
    'random_seed',
    'reasoning_effort',
    'safe_prompt',
  ],
  userParts: ['text', 'image_url', 'input_audio', 'document_url', 'reference'],
  callIds: /^[A-Za-z0-9]{9}$/,
  strictSchemas: false,
  streamUsage: 'always',
  functionsOnly: true,
  calls: 'bare',
  callMembers: ['id', 'type', 'function', 'index'],
  assistantMembers: ['role', 'content', 'tool_calls', 'prefix'],
  reasoning: 'thinking',
  hasRefusals: false,
  sendsRetryAfter: false,
  error: (status, message) => ({
    object: 'error',
    message,
    type: status === 429 ? 'rate_limited' : 'invalid_request_error',
    param: null,
    code: status === 429 ? '1300' : '3001',
  }),
};

/** https://console.groq.com/docs/api-reference#chat-create */
export const groqVendor: ChatVendor = {
  ...openaiVendor,
  members: [
    ...openaiMembers.filter(
      (name) => !['audio', 'logit_bias', 'logprobs', 'modalities', 'prediction', 'top_logprobs'].includes(name),
    ),
    'citation_options',
    'compound_custom',
    'disable_tool_validation',
    'documents',
    'include_reasoning',
    'reasoning_format',
    'search_settings',
  ],
  userParts: ['text', 'image_url'],
  functionsOnly: true,
  assistantMembers: [...assistantMembers, 'reasoning'],
  reasoning: 'reasoning',
  hasRefusals: false,
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'tokens' : openaiErrorType(status),
      code: status === 429 ? 'rate_limit_exceeded' : null,
    },
  }),
};

/** https://docs.fireworks.ai/api-reference/post-chatcompletions */
export const fireworksVendor: ChatVendor = {
  ...openaiVendor,
  path: /^\/inference\/v1\/chat\/completions$/,
  members: [
    ...common,
    ...[
      'logit_bias',
      'logprobs',
      'max_completion_tokens',
      'metadata',
      'min_p',
      'n',
      'parallel_tool_calls',
      'prediction',
    ],
    ...['prompt_cache_key', 'reasoning_effort', 'reasoning_history', 'service_tier', 'stream_options', 'thinking'],
    ...['top_k', 'top_logprobs', 'user'],
  ],
  userParts: ['text', 'image_url'],
  strictSchemas: false,
  streamUsage: 'always',
  functionsOnly: true,
  assistantMembers: [...assistantMembers, 'reasoning_content'],
  hasRefusals: false,
  sendsRetryAfter: false,
  error: (status, message) => ({
    error: { object: 'error', type: openaiErrorType(status), code: openaiErrorType(status), message },
  }),
};
