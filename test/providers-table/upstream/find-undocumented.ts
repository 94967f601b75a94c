import type { Member } from '../../../plugins/sdk/dialect/members.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';

const inside = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

const findFirst = <Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined => {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Returns the path of the first member that is not in the dialect's table, or undefined if all are in it. */
export const findUntabled = (value: Json, member: Member, at = ''): string | undefined => {
  if (member.is === 'list') {
    return findFirst(Array.isArray(value) ? value : [value], (item: Json) => findUntabled(item, member.item, at));
  }
  if (member.is !== 'object' || !isJsonObject(value)) return undefined;
  return findFirst(Object.entries(value), ([name, inner]) => {
    const known = member.members[name];
    return known === undefined ? inside(at, name) : findUntabled(inner, known, inside(at, name));
  });
};

/** Returns the first member that is not in the vendor's list of paths such as `requests.model`, or undefined if all are in it. */
export const findUnlisted = (value: Json, places: readonly string[], at = ''): string | undefined => {
  if (Array.isArray(value)) return findFirst(value, (item: Json) => findUnlisted(item, places, at));
  if (!isJsonObject(value)) return undefined;
  return findFirst(Object.entries(value), ([name, inner]) => {
    const place = inside(at, name);
    return places.includes(place) ? findUnlisted(inner, places, place) : place;
  });
};
