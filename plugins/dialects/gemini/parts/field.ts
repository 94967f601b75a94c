import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { Member } from '../../shared/json/member.ts';
import { snake } from '../../shared/json/snake.ts';

/** Returns a member of a request by its name in camelCase. Google's services accept snake_case as well. */
export const field = (wire: Member, name: string): Member => {
  const camel = wire.at(name);
  const other = wire.at(snake(name));
  return camel.absent && !other.absent ? other : camel;
};

/** Returns a list of a request. Google's services accept an object in place of a list with one item, as in their own examples. */
export const asList = (list: Member): Member =>
  isJsonObject(list.value) ? new Member(list.dialect, list.path, [list.value]) : list;

/** Returns a member by its name in either spelling, of an object that may differ from the documentation. */
export const findField = (wire: JsonObject, name: string): Json | undefined => wire[name] ?? wire[snake(name)];

/** Returns the names in both spellings. */
export const spellings = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [name, snake(name)]));
