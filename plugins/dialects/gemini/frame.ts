import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { objectsOf } from '../../../schema/loose.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { Frame } from '../../sdk/dialect.ts';

/** The response in a frame. Vertex sends an error as a list of one. */
export const responseIn = ({ data }: Frame): JsonObject | undefined => {
  const value = parseJson(data);
  if (isJsonObject(value)) return value;
  return objectsOf(value)[0];
};
