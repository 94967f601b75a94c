import type { JsonObject } from '../../../schema/json/json.ts';

/** In what a vendor differs from the format that it follows. */
interface VendorForm {
  /** All members that it takes, as in `ProviderSample`; those of the format if absent. */
  readonly members?: readonly string[];
  /** What its answers have beside the members of the format, and its own library demands. */
  readonly answer?: JsonObject;
}

/** By provider and format. */
export const vendorForms: Readonly<Record<string, Readonly<Record<string, VendorForm>>>> = {
  /** https://docs.mistral.ai/api/endpoint/embeddings */
  'mistral-ai': {
    embeddings: { answer: { id: 'e', usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 } } },
  },
  /** https://openrouter.ai/docs/api/api-reference/chat/send-chat-completion-request */
  openrouter: { chat: { answer: { system_fingerprint: null } } },
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
