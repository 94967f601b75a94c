import type { JsonObject } from '../../../schema/json/json.ts';

/** In what a vendor differs from the format that it follows. */
export interface VendorForm {
  /** All members that it takes, as in `ProviderSample`; those of the format if absent. */
  readonly members?: readonly string[];
  /** What its answers have beside the members of the format. */
  readonly answer?: JsonObject;
  /** The members of the format that its answers do not have. */
  readonly leavesOut?: readonly string[];
}

/** By provider and format. */
export const vendorForms: Readonly<Record<string, Readonly<Record<string, VendorForm>>>> = {
  /** https://docs.mistral.ai/api/endpoint/embeddings, https://docs.mistral.ai/api/endpoint/classifiers */
  'mistral-ai': {
    moderations: { answer: { results: [{ categories: { pii: false }, category_scores: { pii: 0.5 } }] } },
    embeddings: { answer: { id: 'e', usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 } } },
  },
  /** https://openrouter.ai/docs/api/api-reference/chat/send-chat-completion-request, …/rerank */
  openrouter: {
    chat: { answer: { system_fingerprint: null } },
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
};
