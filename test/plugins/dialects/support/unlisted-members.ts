import type { Member } from '../../../../plugins/sdk/dialect/members.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

/** Returns the paths of a body's members that its table does not list, such as `messages[].content[].text`. */
export const unlistedMembers = (member: Member, value: Json | undefined, path = ''): readonly string[] => {
  if (value === undefined) return [];
  switch (member.is) {
    case 'object':
      if (!isJsonObject(value)) return [];
      return Object.entries(value).flatMap(([name, each]) => {
        const place = path === '' ? name : `${path}.${name}`;
        const rule = Object.hasOwn(member.members, name) ? member.members[name] : undefined;
        return rule === undefined ? [place] : unlistedMembers(rule, each, place);
      });
    case 'list':
    case 'choices':
      return (Array.isArray(value) ? value : [value]).flatMap((each) =>
        unlistedMembers(member.item, each, `${path}[]`),
      );
    case 'map':
      if (!isJsonObject(value)) return [];
      return Object.values(value).flatMap((each) => unlistedMembers(member.member, each, `${path}.any`));
    case 'variants': {
      if (!isJsonObject(value)) return [];
      const tag = value[member.by];
      const rule = tag === undefined || tag === null ? member.absent : member.cases[String(tag)];
      return rule === undefined ? [`${path}(${String(tag)})`] : unlistedMembers(rule, value, path);
    }
    case 'lazy':
      return unlistedMembers(member.member(), value, path);
    case 'before':
    case 'again':
    case 'untold':
      return unlistedMembers(member.member, value, path);
    case 'text-or':
      return typeof value === 'string' ? [] : unlistedMembers(member.other, value, path);
    default:
      return [];
  }
};
