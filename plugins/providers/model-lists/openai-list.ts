import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';
import type { ListedFacts, ProviderModelList } from '../../sdk/models/plugin-models.ts';
import { findDay, findTokens } from './list-values.ts';

/** The kinds of models in Together's list: https://docs.together.ai/reference/models-1 */
const kinds: ReadonlyMap<string, Capability> = new Map([
  ['chat', 'chat'],
  ['embedding', 'embeddings'],
  ['rerank', 'rerank'],
  ['image', 'images'],
  ['moderation', 'moderation'],
  ['transcribe', 'transcription'],
]);

const toFacts = (row: JsonObject): readonly ListedFacts[] => {
  const model = findText(row.id);
  if (model === undefined) return [];
  const kind = kinds.get(findText(row.type) ?? '');
  return [
    {
      model,
      // The names that Groq, vLLM and Together use.
      context: findTokens(row.context_window) ?? findTokens(row.max_model_len) ?? findTokens(row.context_length),
      output: findTokens(row.max_completion_tokens),
      deprecated: findDay(row.shutdown_date),
      able: kind === undefined ? undefined : [kind],
    },
  ];
};

const rowsOf = (answer: Json): Json | undefined => (Array.isArray(answer) ? answer : findObject(answer)?.data);

/**
 * The list of services that follow OpenAI. OpenAI's includes the days on which models are shut down; Groq's, vLLM's and
 * Together's include limits: https://platform.openai.com/docs/api-reference/models/list,
 * https://console.groq.com/docs/api-reference#models-list, https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
export const openaiList: ProviderModelList = {
  path: '/models',
  read(answer) {
    const rows = rowsOf(answer);
    return Array.isArray(rows) ? { models: toObjects(rows).flatMap(toFacts) } : undefined;
  },
};
