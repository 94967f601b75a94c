import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

/** The names of this format that differ from those of configs. */
const names: Readonly<Record<string, string>> = {
  top_p: 'p',
  top_k: 'k',
  stop: 'stop_sequences',
  max_completion_tokens: 'max_tokens',
};

const renamed = (name: string, value: Json): readonly [string, Json] => [
  lookUp(names, name) ?? name,
  name === 'stop' && typeof value === 'string' ? [value] : value,
];

/** Lays parameters with the names of configs on a body. */
export const place = (params: JsonObject, body: JsonObject): JsonObject => ({
  ...body,
  ...Object.fromEntries(Object.entries(params).map(([name, value]) => renamed(name, value))),
});
