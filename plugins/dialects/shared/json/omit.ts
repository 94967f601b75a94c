import type { JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';

/** Whether an object has members whose names are not in `names`. Most parts of a request have none, so nothing is copied. */
const hasOthers = (object: JsonObject, names: ReadonlySet<string>): boolean => {
  for (const name in object) if (!names.has(name)) return true;
  return false;
};

/** Returns the members of an object whose names are not in `names`, or undefined if none is left. */
export const omit = (object: JsonObject, names: ReadonlySet<string>): JsonObject | undefined => {
  if (!hasOthers(object, names)) return undefined;
  const kept = Object.entries(object).filter(([name]) => !names.has(name));
  return keepSources(Object.fromEntries(kept), object);
};
