import type { Member } from '../../../../plugins/sdk/dialect/members.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

/** One place of a table and its rule. */
export interface TablePlace {
  /** `messages[].content[].text` */
  readonly path: string;
  /** The rule for the value there, or `unlisted` for a member that the table does not have. */
  readonly rule:
    | Exclude<Member, { readonly is: 'object' | 'list' | 'choices' | 'variants' | 'lazy' | 'map' | 'again' | 'untold' }>
    | 'unlisted';
  /** Whether a frame's events do not report the place. */
  readonly isUnreported: boolean;
  /** Builds a body with a value at the place. */
  readonly body: (value: Json) => Json;
}

interface Walk {
  readonly path: string;
  readonly isUnreported: boolean;
  /** The members that contain the place. A member that contains itself is entered twice. */
  readonly entered: readonly Member[];
  readonly wrap: (value: Json) => Json;
}

const tagged = (value: Json, by: string, tag: Json): Json => (isJsonObject(value) ? { [by]: tag, ...value } : value);

/** Converts a name to a tag: `true` and `false` stand for booleans. */
const toTag = (name: string): Json => (name === 'true' || name === 'false' ? name === 'true' : name);

const places = (member: Member, walk: Walk): readonly TablePlace[] => {
  const { path, isUnreported, entered, wrap } = walk;
  const into = (name: string, inner: (value: Json) => Json): Walk => ({
    ...walk,
    entered: [...entered, member],
    path: path + name,
    wrap: (value) => wrap(inner(value)),
  });
  const own = { path, isUnreported, body: wrap };
  switch (member.is) {
    case 'object':
      if (entered.filter((each) => each === member).length > 1) return [];
      return [
        ...Object.entries(member.members).flatMap(([name, each]) =>
          places(
            each,
            into(`.${name}`, (value) => ({ [name]: value })),
          ),
        ),
        { path: `${path}.*`, rule: 'unlisted', isUnreported, body: (value) => wrap({ unlisted: value }) },
      ];
    case 'list':
    case 'choices':
      return places(
        member.item,
        into('[]', (value) => [value]),
      );
    case 'map':
      return places(
        member.member,
        into('.any', (value) => ({ any: value })),
      );
    case 'variants':
      if (entered.filter((each) => each === member).length > 1) return [];
      return [
        ...places(member.absent, { ...walk, entered: [...entered, member] }),
        ...Object.entries(member.cases).flatMap(([name, each]) =>
          places(
            each,
            into(`(${name})`, (value) => tagged(value, member.by, toTag(name))),
          ),
        ),
        {
          path: `${path}(*).*`,
          rule: 'unlisted',
          isUnreported,
          body: (value) => wrap({ [member.by]: 'unlisted', unlisted: value }),
        },
      ];
    case 'lazy':
      return places(member.member(), walk);
    case 'again':
      return places(member.member, walk);
    case 'untold':
      return places(member.member, { ...walk, isUnreported: true });
    case 'text-or':
      return [{ ...own, rule: { is: 'text' } }, ...places(member.other, walk)];
    default:
      return [{ ...own, rule: member }];
  }
};

/** Returns every place of a table, and one unlisted place in each of its objects. */
export const tablePlaces = (member: Member): readonly TablePlace[] =>
  places(member, { path: '', isUnreported: false, entered: [], wrap: (value) => value });
