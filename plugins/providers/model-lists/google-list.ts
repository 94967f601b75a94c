import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findText, toObjects, toTexts } from '../../../schema/json/loose.ts';
import type { ListedFacts, ProviderModelList } from '../../sdk/models/plugin-models.ts';
import { findTokens, statedCapabilities } from './list-values.ts';

const toFacts = (row: JsonObject): readonly ListedFacts[] => {
  const model = findText(row.name)?.replace(/^models\//, '');
  if (model === undefined) return [];
  const methods = row.supportedGenerationMethods === undefined ? undefined : toTexts(row.supportedGenerationMethods);
  // Models that only speak or draw also support `generateContent`.
  const embeds = methods?.includes('embedContent');
  return [
    {
      model,
      context: findTokens(row.inputTokenLimit),
      output: embeds === true ? undefined : findTokens(row.outputTokenLimit),
      ...statedCapabilities({
        embeddings: embeds,
        caching: methods?.includes('createCachedContent') === true ? true : undefined,
        reasoning: typeof row.thinking === 'boolean' ? row.thinking : undefined,
      }),
    },
  ];
};

/** https://ai.google.dev/api/models#method:-models.list */
export const googleList: ProviderModelList = {
  path: '/models',
  query: { pageSize: '1000' },
  read(answer) {
    if (!isJsonObject(answer) || !Array.isArray(answer.models)) return undefined;
    const token = findText(answer.nextPageToken);
    return {
      models: toObjects(answer.models).flatMap(toFacts),
      next: token === undefined || token === '' ? undefined : { pageSize: '1000', pageToken: token },
    };
  },
};
