import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { toObjects } from '../../../../schema/json/loose.ts';
import { parseExactJson } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';

/** Returns the response in a frame. Vertex AI sends an error as a list with one item. */
export const responseIn = ({ data }: Frame): JsonObject | undefined => {
  const value = parseExactJson(data);
  if (isJsonObject(value)) return value;
  return toObjects(value)[0];
};
