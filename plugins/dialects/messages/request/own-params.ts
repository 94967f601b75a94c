import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

/** The parameters of configs that have another name here. */
const renamed: Readonly<Record<string, (value: Json) => JsonObject>> = {
  max_completion_tokens: (value) => ({ max_tokens: value }),
  stop: (value) => ({ stop_sequences: typeof value === 'string' ? [value] : value }),
};

/** Parameters with the neutral names of configs by the names that messages have for them. */
export const ownParams = (params: JsonObject): JsonObject =>
  Object.assign(
    {},
    ...Object.entries(params).map(([name, value]) => lookUp(renamed, name)?.(value) ?? { [name]: value }),
  );
