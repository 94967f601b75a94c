import { formatPlaces } from '../../../plugins/sdk/parameters/format-places.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { withValues } from '../../../schema/json/with-values.ts';

/** Parameters without their secrets, and the secrets by their places. */
export interface LiftedSecrets {
  readonly parameters: JsonObject;
  readonly secrets: ReadonlyMap<JsonPointer, string>;
}

/** Removes from a check's parameters what its schema declares secret. An empty string is not a secret. */
export const liftSecrets = (schema: ParameterSchema, parameters: JsonObject): LiftedSecrets => {
  const places = formatPlaces(schema, parameters, 'secret').filter(({ text }) => text !== '');
  if (places.length === 0) return { parameters, secrets: new Map() };
  const plain = withValues(parameters, new Map(places.map(({ at }) => [at, ''])));
  return {
    parameters: isJsonObject(plain) ? plain : parameters,
    secrets: new Map(places.map(({ at, text }) => [at, text])),
  };
};
