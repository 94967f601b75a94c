import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';

/** Merges two objects. If both have a member, the second one's is used, unless both are objects, which are merged too. */
export const mergeJson = (first: JsonObject, second: JsonObject): JsonObject => {
  const both = Object.entries(second).map(([name, value]): [string, typeof value] => {
    const before = lookUp(first, name);
    return [name, isJsonObject(before) && isJsonObject(value) ? mergeJson(before, value) : value];
  });
  return keepSources({ ...first, ...Object.fromEntries(both) }, second);
};
