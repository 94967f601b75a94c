import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { textFormat } from './answer-format.ts';
import { modelFamily } from './model-family.ts';

const sampling = (name: string, value: Json): JsonObject => ({ inferenceConfig: { [name]: value } });
const field = (members: JsonObject): JsonObject => ({ additionalModelRequestFields: members });

const placeTopK = (value: Json, model: string | undefined): JsonObject => {
  const path = modelFamily(model).topK ?? ['top_k'];
  return field(path.toReversed().reduce<Json>((inner, name) => ({ [name]: inner }), value) as JsonObject);
};

/** Returns an effort in the API's own member, or in the field of a model that has a different one. */
const placeEffort = (value: Json, model: string | undefined): JsonObject => {
  switch (model === undefined ? undefined : modelFamily(model).effort) {
    case 'reasoningConfig':
      return field({ reasoningConfig: { type: 'enabled', maxReasoningEffort: value } });
    case 'reasoning':
      return field({ reasoning: { effort: value } });
    case 'reasoning_effort':
      return field({ reasoning_effort: value });
    default:
      return { outputConfig: { effort: value } };
  }
};

/** Returns a format. A schema is JSON text here; other formats go into a model's own field. */
const placeFormat = (value: Json): JsonObject => {
  const wire = isJsonObject(value) ? value.json_schema : undefined;
  if (!isJsonObject(wire) || !isJsonObject(wire.schema)) return field({ response_format: value });
  const [name, description] = [wire.name, wire.description].map((each) =>
    typeof each === 'string' ? each : undefined,
  );
  return { outputConfig: { textFormat: textFormat(wire.schema, { name, description }) } };
};

/** Where each parameter of a config goes in a body. */
const places: Readonly<Record<string, (value: Json, model: string | undefined) => JsonObject>> = {
  max_tokens: (value) => sampling('maxTokens', value),
  max_completion_tokens: (value) => sampling('maxTokens', value),
  temperature: (value) => sampling('temperature', value),
  top_p: (value) => sampling('topP', value),
  stop: (value) => sampling('stopSequences', typeof value === 'string' ? [value] : value),
  service_tier: (value) => ({ serviceTier: { type: value } }),
  top_k: placeTopK,
  reasoning_effort: placeEffort,
  thinking: (value) => field({ thinking: value }),
  response_format: placeFormat,
};

/** Sets parameters, which have the neutral names of configs, on a body. Names without a place go at the top level. */
export const place = (params: JsonObject, body: JsonObject): JsonObject => {
  const model = typeof params.model === 'string' ? params.model : undefined;
  return Object.entries(params).reduce((laid, [name, value]) => {
    const put = lookUp(places, name);
    return mergeJson(laid, put === undefined ? { [name]: value } : put(value, model));
  }, body);
};
