import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { lookUp } from '../../../../../schema/json/look-up.ts';

/**
 * The claim of a name, which may be a URL with dots in it; else what the name leads to as a path through objects, such as
 * `realm_access.roles`. Undefined where there is none, or it is null.
 */
export const claimOf = (claims: JsonObject, name: string): Json | undefined => {
  const own = lookUp(claims, name);
  if (own !== undefined) return own ?? undefined;
  const found = name
    .split('.')
    .reduce<Json | undefined>((value, member) => (isJsonObject(value) ? lookUp(value, member) : undefined), claims);
  return found ?? undefined;
};
