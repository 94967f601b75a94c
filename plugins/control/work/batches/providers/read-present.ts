import type { JsonObject } from '../../../../../schema/json/json.ts';

/** An object without the members that are null: optional members of a batch are absent, and never null. */
export const readPresent = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
