import type { JsonObject } from '../../../schema/json/json.ts';

/** By provider and format: what its answers have beside the members of the format, and its own library demands. */
export const vendorMembers: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  /** https://docs.mistral.ai/api/endpoint/embeddings */
  'mistral-ai': {
    embeddings: { id: 'e', usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 } },
  },
};
