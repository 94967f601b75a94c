import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { encodeEffort } from './reasoning.ts';

/** Names that differ between this format and configs. */
const names: Readonly<Record<string, string>> = {
  top_p: 'p',
  top_k: 'k',
  stop: 'stop_sequences',
  max_completion_tokens: 'max_tokens',
  reasoning_effort: 'thinking',
};

/** Converts an answer format. A schema is beside a type, which is the same without a schema. */
const toFormat = (format: Json): Json => {
  const schema = findObject(findObject(format)?.json_schema)?.schema;
  return schema === undefined ? format : { type: 'json_object', json_schema: schema };
};

const toValue = (name: string, value: Json, limit: number | undefined): Json => {
  if (name === 'response_format') return toFormat(value);
  if (name === 'reasoning_effort') return encodeEffort(findText(value) ?? '', limit);
  return name === 'stop' && typeof value === 'string' ? [value] : value;
};

/** Sets parameters, which have the names of configs, on a body. */
export const place = (params: JsonObject, body: JsonObject): JsonObject => {
  const limit = findNumber(params.max_completion_tokens ?? params.max_tokens ?? body.max_tokens);
  return {
    ...body,
    ...Object.fromEntries(
      Object.entries(params).map(([name, value]) => [lookUp(names, name) ?? name, toValue(name, value, limit)]),
    ),
  };
};
