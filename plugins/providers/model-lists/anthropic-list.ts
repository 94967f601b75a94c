import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import type { ListedFacts, ProviderModelList } from '../../sdk/models/plugin-models.ts';
import { findDay, findTokens, statedCapabilities } from './list-values.ts';

/** Whether a capability, which is an object, states that it is supported. */
const isSupported = (capabilities: JsonObject | undefined, name: string): boolean | undefined => {
  const supported = findObject(capabilities?.[name])?.supported;
  return typeof supported === 'boolean' ? supported : undefined;
};

const toFacts = (row: JsonObject): readonly ListedFacts[] => {
  const model = findText(row.id);
  if (model === undefined) return [];
  const capabilities = findObject(row.capabilities);
  return [
    {
      model,
      context: findTokens(row.max_input_tokens),
      output: findTokens(row.max_tokens),
      deprecated: findDay(row.retires_at),
      ...statedCapabilities({
        chat: true,
        vision: isSupported(capabilities, 'image_input'),
        documents: isSupported(capabilities, 'pdf_input'),
        'json-schema': isSupported(capabilities, 'structured_outputs'),
        reasoning: isSupported(capabilities, 'thinking'),
      }),
    },
  ];
};

/** https://docs.anthropic.com/en/api/models-list */
export const anthropicList: ProviderModelList = {
  path: '/models',
  query: { limit: '1000' },
  read(answer) {
    if (!isJsonObject(answer) || !Array.isArray(answer.data)) return undefined;
    const last = answer.has_more === true ? findText(answer.last_id) : undefined;
    return {
      models: toObjects(answer.data).flatMap(toFacts),
      next: last === undefined ? undefined : { limit: '1000', after_id: last },
    };
  },
};
