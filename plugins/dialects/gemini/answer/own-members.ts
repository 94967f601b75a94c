import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';

/** Adds to a candidate the members that only this format has. Some of them describe the answer's sources further. */
export const withOwnMembers = (candidate: JsonObject, own: JsonObject): JsonObject => {
  const [ours, theirs] = [candidate.groundingMetadata, own.groundingMetadata];
  const merged = isJsonObject(ours) && isJsonObject(theirs) ? { groundingMetadata: { ...theirs, ...ours } } : {};
  return { ...candidate, ...own, ...merged };
};
