import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects, toTexts } from '../../../schema/json/loose.ts';
import type { ListedFacts, ProviderModelList } from '../../sdk/models/plugin-models.ts';
import { findDay, findTokens, statedCapabilities } from './list-values.ts';

const toFacts = (row: JsonObject): readonly ListedFacts[] => {
  const model = findText(row.id);
  if (model === undefined) return [];
  const { input_modalities, output_modalities } = findObject(row.architecture) ?? {};
  const reads = (kind: string) =>
    input_modalities === undefined ? undefined : toTexts(input_modalities).includes(kind);
  const makes = (kind: string) =>
    output_modalities === undefined ? undefined : toTexts(output_modalities).includes(kind);
  const takes = (...names: readonly string[]) =>
    row.supported_parameters === undefined
      ? undefined
      : toTexts(row.supported_parameters).some((name) => names.includes(name));
  return [
    {
      model,
      context: findTokens(row.context_length),
      output: findTokens(findObject(row.top_provider)?.max_completion_tokens),
      deprecated: findDay(row.expiration_date),
      ...statedCapabilities({
        chat: makes('text'),
        tools: takes('tools'),
        'json-schema': takes('structured_outputs'),
        reasoning: takes('reasoning', 'include_reasoning'),
        vision: reads('image'),
        documents: reads('file'),
        'audio-input': reads('audio'),
        'video-input': reads('video'),
        'audio-output': makes('audio'),
        images: makes('image'),
        embeddings: makes('embeddings'),
      }),
    },
  ];
};

/** https://openrouter.ai/docs/models. Without `output_modalities`, only models that produce text are listed. */
export const openrouterList: ProviderModelList = {
  path: '/models',
  query: { output_modalities: 'all' },
  read: (answer) =>
    isJsonObject(answer) && Array.isArray(answer.data)
      ? { models: toObjects(answer.data).flatMap(toFacts) }
      : undefined,
};
