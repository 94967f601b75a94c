import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';

/** A candidate with the members that only this format has, of which some say more of the answer's sources. */
export const withOwnMembers = (candidate: JsonObject, own: JsonObject): JsonObject => {
  const [ours, theirs] = [candidate.groundingMetadata, own.groundingMetadata];
  const merged = isJsonObject(ours) && isJsonObject(theirs) ? { groundingMetadata: { ...theirs, ...ours } } : {};
  return { ...candidate, ...own, ...merged };
};
