import type { JsonObject } from '../../../schema/json/json.ts';

/** The differences between a vendor's API and the format that it follows. */
export interface VendorForm {
  /** All members that it accepts, as in `ProviderSample`; if absent, those of the format. */
  readonly members?: readonly string[];
  /** The members of its responses that the format does not have. */
  readonly answer?: JsonObject;
  /** The members of the format that its responses do not have. */
  readonly leavesOut?: readonly string[];
}

/** By provider and format. */
export const vendorForms: Readonly<Record<string, Readonly<Record<string, VendorForm>>>> = {
  /** https://docs.mistral.ai/api/endpoint/embeddings, …/classifiers and …/fim, whose responses are chat completions */
  'mistral-ai': {
    completions: {
      members: [
        ...['model', 'prompt', 'suffix', 'temperature', 'top_p', 'max_tokens', 'min_tokens', 'stream', 'stop'],
        ...['random_seed', 'metadata'],
      ],
      answer: {
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
      },
    },
    moderations: { answer: { results: [{ categories: { pii: false }, category_scores: { pii: 0.5 } }] } },
    embeddings: { answer: { id: 'e', usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 } } },
  },
  /** https://openrouter.ai/docs/api/api-reference/chat/send-chat-completion-request, …/responses, …/images, …/rerank */
  openrouter: {
    chat: { answer: { system_fingerprint: null } },
    responses: {
      answer: {
        ...{ completed_at: 1, error: null, incomplete_details: null, instructions: null, metadata: null },
        ...{ frequency_penalty: null, presence_penalty: null, temperature: null, top_p: null },
        ...{ parallel_tool_calls: true, tool_choice: 'auto', tools: [] },
        usage: {
          ...{ input_tokens: 3, output_tokens: 2, total_tokens: 5 },
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    },
    images: { answer: { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } } },
    rerank: {
      leavesOut: ['meta'],
      answer: {
        results: [{ index: 0, relevance_score: 0.5, document: { text: 'one' } }],
        ...{ model: 'm', usage: { total_tokens: 3 } },
      },
    },
  },
  /** https://docs.voyageai.com/reference/reranker-api */
  voyage: {
    rerank: {
      leavesOut: ['id', 'results', 'meta'],
      answer: {
        ...{ object: 'list', model: 'm', usage: { total_tokens: 3 } },
        data: [{ index: 0, relevance_score: 0.5 }],
      },
    },
  },
  /** https://cloud.ibm.com/apidocs/watsonx-ai#text-chat */
  watsonx: {
    chat: {
      members: [
        ...['model_id', 'project_id', 'space_id', 'messages', 'messages.role', 'messages.content', 'messages.name'],
        ...['frequency_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens', 'max_tokens', 'n', 'seed', 'stop'],
        ...['presence_penalty', 'response_format', 'temperature', 'time_limit', 'top_logprobs', 'top_p'],
      ],
    },
  },
  /** https://docs.bigmodel.cn/cn/guide/models/sound-and-video/glm-tts, and the members that the vendor's library knows */
  zhipu: {
    speech: {
      members: [
        ...['model', 'input', 'voice', 'response_format', 'encode_format', 'speed', 'volume', 'stream'],
        ...['watermark_enabled', 'sensitive_word_check', 'request_id', 'user_id'],
      ],
    },
  },
};
