import { toSlug } from '../../docs/.vitepress/slug.ts';
import type { Json, JsonObject } from '../../schema/json/json.ts';
import { code, described, fence, points, prose } from './markdown.ts';
import { type Member, typeText } from './member-tree.ts';
import { shownJson } from './shown-json.ts';

/** The facts about the members of one document. */
export interface MemberFacts {
  readonly root: JsonObject;
  /** The page of each member, by its path. */
  readonly pages: ReadonlyMap<string, string>;
  example(member: Member): Json;
  /** Returns further lines about a member. */
  facts(member: Member): readonly string[];
}

/** Returns a link to a member, from another page in the same folder or from its own. */
export const memberLink = (path: string, pages: ReadonlyMap<string, string>): string =>
  `[${code(path)}](${pages.get(path) ?? ''}#${toSlug(path)})`;

const toEntry = (member: Member, { root, pages, facts }: MemberFacts, shown: string): string => {
  const { path, schema, isRequired, sameAs } = member;
  const { default: standard } = schema;
  return [
    `## ${code(path)}`,
    prose(described(typeof schema.description === 'string' ? schema.description : undefined, path)),
    points([
      `Type: ${typeText(schema, root)}`,
      ...(isRequired ? ['Required in its object'] : []),
      ...(standard === undefined ? [] : [`Default: ${code(JSON.stringify(standard))}`]),
      ...(sameAs === undefined ? [] : [`Members: those of ${memberLink(sameAs, pages)}`]),
      ...facts(member),
    ]),
    shown,
  ].join('\n\n');
};

/** Returns the entries of members on one page, each with its example. An example that is already on the page is linked. */
export const memberEntries = (members: readonly Member[], all: MemberFacts): readonly string[] => {
  const examples = new Map<string, string>();
  return members.map((member) => {
    const text = shownJson(all.example(member));
    const earlier = examples.get(text);
    if (earlier === undefined) examples.set(text, member.path);
    return toEntry(
      member,
      all,
      earlier === undefined ? fence('json', text) : `[The example of ${code(earlier)}](#${toSlug(earlier)}) has it.`,
    );
  });
};
