import type { JsonObject } from '../../../../schema/json/json.ts';

/** Returns the members that the provider accepts, and the names of the others. */
export const withoutDropped = (
  body: JsonObject,
  drop: ReadonlySet<string>,
): { readonly kept: JsonObject; readonly dropped: readonly string[] } => {
  const members = Object.entries(body);
  return {
    kept: Object.fromEntries(members.filter(([name]) => !drop.has(name))),
    dropped: members.flatMap(([name]) => (drop.has(name) ? [name] : [])),
  };
};
