import type { JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';

/** Returns the members of an object whose names are not in `names`, or undefined if none is left. */
export const omit = (object: JsonObject, names: ReadonlySet<string>): JsonObject | undefined => {
  const kept = Object.entries(object).filter(([name]) => !names.has(name));
  return kept.length > 0 ? keepSources(Object.fromEntries(kept), object) : undefined;
};
