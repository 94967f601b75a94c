import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findText, toObjects, toTexts } from '../../../schema/json/loose.ts';
import type { ListedFacts, ProviderModelList } from '../../sdk/models/plugin-models.ts';
import { findTokens, statedCapabilities } from './list-values.ts';

const toFacts = (row: JsonObject): readonly ListedFacts[] => {
  const model = findText(row.name);
  if (model === undefined) return [];
  const endpoints = row.endpoints === undefined ? undefined : toTexts(row.endpoints);
  const serves = (endpoint: string) => endpoints?.includes(endpoint);
  const has = (feature: string) => (toTexts(row.features).includes(feature) ? true : undefined);
  return [
    {
      model,
      context: findTokens(row.context_length),
      ...statedCapabilities({
        ...{ chat: serves('chat'), embeddings: serves('embed'), rerank: serves('rerank') },
        // The documentation does not list the names of features, so the absence of one proves nothing.
        ...{
          tools: has('tools'),
          vision: has('vision'),
          reasoning: has('reasoning'),
          'json-schema': has('json_schema'),
        },
      }),
    },
  ];
};

/** https://docs.cohere.com/reference/list-models. The base URL has no version. */
export const cohereList: ProviderModelList = {
  path: '/v1/models',
  query: { page_size: '1000' },
  read(answer) {
    if (!isJsonObject(answer) || !Array.isArray(answer.models)) return undefined;
    const token = findText(answer.next_page_token);
    return {
      models: toObjects(answer.models).flatMap(toFacts),
      next: token === undefined || token === '' ? undefined : { page_size: '1000', page_token: token },
    };
  },
};
