import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects, toTexts } from '../../../schema/json/loose.ts';
import type { ListedFacts, ProviderModelList } from '../../sdk/models/plugin-models.ts';
import { findDay, findTokens, statedCapabilities } from './list-values.ts';

const toFacts = (row: JsonObject): readonly ListedFacts[] => {
  const model = findText(row.id);
  if (model === undefined) return [];
  const stated = findObject(row.capabilities) ?? {};
  const can = (name: string): boolean | undefined => {
    const value = stated[name];
    return typeof value === 'boolean' ? value : undefined;
  };
  return [
    {
      model,
      aliases: toTexts(row.aliases),
      context: findTokens(row.max_context_length),
      deprecated: findDay(row.deprecation),
      ...statedCapabilities({
        ...{ chat: can('completion_chat'), tools: can('function_calling'), vision: can('vision') },
      }),
    },
  ];
};

/** https://docs.mistral.ai/api/#tag/models/operation/list_models_v1_models_get */
export const mistralList: ProviderModelList = {
  path: '/models',
  read: (answer) =>
    isJsonObject(answer) && Array.isArray(answer.data)
      ? { models: toObjects(answer.data).flatMap(toFacts) }
      : undefined,
};
