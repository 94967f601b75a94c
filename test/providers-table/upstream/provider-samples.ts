import type { JsonObject } from '../../../schema/json/json.ts';

/** A format of providers that no client is known by: what its vendor documents. */
export interface ProviderSample {
  /** The members of a request, and of the objects in it, as `name.name`; a list counts as its items. */
  readonly members: readonly string[];
  readonly answer: JsonObject;
}

/** By dialect, for those without clients of their own. */
export const providerSamples: Readonly<Record<string, ProviderSample>> = {
  /** https://docs.cohere.com/reference/embed */
  'cohere-embeddings': {
    members: [
      ...['model', 'input_type', 'texts', 'images', 'inputs', 'max_tokens', 'output_dimension', 'embedding_types'],
      ...['truncate', 'priority'],
    ],
    answer: {
      ...{ id: 'e', texts: ['Hello.'], response_type: 'embeddings_by_type' },
      embeddings: { float: [[0.5]] },
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: 3 } },
    },
  },
  /** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
  'gemini-embeddings': {
    members: [
      ...['requests', 'requests.model', 'requests.content', 'requests.content.parts', 'requests.content.parts.text'],
      ...['requests.taskType', 'requests.title', 'requests.outputDimensionality', 'requests.content.role'],
    ],
    answer: { embeddings: [{ values: [0.5] }] },
  },
  /** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
  'vertex-embeddings': {
    members: [
      ...['instances', 'instances.content', 'instances.task_type', 'instances.title'],
      ...['parameters', 'parameters.autoTruncate', 'parameters.outputDimensionality'],
    ],
    answer: {
      predictions: [{ embeddings: { values: [0.5], statistics: { truncated: false, token_count: 3 } } }],
    },
  },
};
