import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { Frame } from '../../sdk/dialect.ts';
import { objectsOf } from '../wire/loose.ts';
import { parseJson } from '../wire/parse-json.ts';

/** The response in a frame. Vertex sends an error as a list of one. */
export const responseIn = ({ data }: Frame): JsonObject | undefined => {
  const value = parseJson(data);
  if (isJsonObject(value)) return value;
  return objectsOf(value)[0];
};
