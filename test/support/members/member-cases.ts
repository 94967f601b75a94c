import type { Member, Members } from '../../../plugins/sdk/members.ts';
import { isJsonObject, type Json } from '../../../schema/json.ts';

/** What a check is to make of words at one place of a body. */
export type CaseRule = 'judged' | 'told' | 'unjudged' | 'refused' | 'media';

/** Words at one place of a body. */
export interface MemberCase {
  /** The place, as a path. */
  readonly at: string;
  readonly rule: CaseRule;
  build(words: string): Json;
}

interface Visit {
  /** Whether the value is in a frame whose documented texts are told by events. */
  readonly isTold: boolean;
  /** Members with members of their own, each of which is visited where it is first found. */
  readonly seen: Set<Member>;
  readonly seenUntold: Set<Member>;
}

const isNew = (member: Member, { isTold, seen, seenUntold }: Visit): boolean => {
  const all = isTold ? seen : seenUntold;
  if (all.has(member)) return false;
  all.add(member);
  return true;
};

const inside = (cases: readonly MemberCase[], at: string, wrap: (value: Json) => Json): readonly MemberCase[] =>
  cases.map((each) => ({ ...each, at: `${at}${each.at}`, build: (words) => wrap(each.build(words)) }));

const one = (rule: CaseRule, build: (words: string) => Json, at = ''): readonly MemberCase[] => [{ at, rule, build }];

const invented = (at = '.invented_member'): readonly MemberCase[] => [
  ...one('judged', (words) => ({ invented_member: words }), at),
  ...one('judged', (words) => ({ invented_member: [{ deep: { deeper: words } }] }), `${at}[0].deep`),
];

const ofMembers = (members: Members, visit: Visit): readonly MemberCase[] => [
  ...Object.entries(members).flatMap(([name, member]) =>
    inside(casesOf(member, visit), `.${name}`, (value) => ({ [name]: value })),
  ),
  ...invented(),
];

/** Whether a place is a member, or within it. */
const isAt = (at: string, name: string): boolean => at === `.${name}` || at.startsWith(`.${name}[`);

const named = (by: string, name: string, value: Json): Json => (isJsonObject(value) ? { ...value, [by]: name } : value);

const casesOf = (member: Member, visit: Visit): readonly MemberCase[] => {
  const said: CaseRule = visit.isTold ? 'told' : 'judged';
  switch (member.is) {
    case 'structural':
    case 'facts':
      return [...one('judged', (words) => words), ...one('judged', (words) => [{ odd: words }], '[0].odd')];
    case 'instructions':
    case 'echo':
    case 'before':
      return one('unjudged', (words) => words);
    case 'media':
      return one('media', (words) => words);
    case 'refused':
      return one('refused', () => [1, 2, 3]);
    case 'text':
      return [...one(said, (words) => words), ...one('judged', (words) => ({ odd: [words] }), '.odd[0]')];
    case 'value':
      return one(said, (words) => ({ odd: [words] }), '.odd[0]');
    case 'json':
      return one(said, (words) => JSON.stringify({ odd: words }));
    case 'custom':
      return one(said, (words) => member.example(words));
    case 'object':
      return isNew(member, visit) ? ofMembers(member.members, visit) : [];
    case 'list':
    case 'choices':
      return inside(casesOf(member.item, visit), '[0]', (value) => [value]);
    case 'map':
      return inside(casesOf(member.member, visit), '.any', (value) => ({ any: value }));
    case 'untold':
      return casesOf(member.member, { ...visit, isTold: false });
    case 'again':
      return casesOf(member.member, visit);
    case 'text-or':
      return [...one(said, (words) => words), ...casesOf(member.other, visit)];
    case 'variants':
      if (!isNew(member, visit)) return [];
      return [
        ...Object.entries(member.cases).flatMap(([name, inner]): readonly MemberCase[] =>
          // The member that names the variant is this name.
          inside(
            casesOf(inner, visit).filter(({ at }) => !isAt(at, member.by)),
            `<${name}>`,
            (value) => named(member.by, name, value),
          ),
        ),
        ...casesOf(member.absent, visit),
        ...one('judged', (words) => ({ [member.by]: 'invented_type', says: words }), '<invented_type>.says'),
      ];
    case 'lazy':
      return isNew(member, visit) ? casesOf(member.member(), visit) : [];
  }
};

/** Words at each place of a body that a table documents, and in a member that it does not document at each object. */
export const memberCases = (
  member: Member,
  { isFrame = false }: { readonly isFrame?: boolean } = {},
): readonly MemberCase[] => casesOf(member, { isTold: isFrame, seen: new Set(), seenUntold: new Set() });
