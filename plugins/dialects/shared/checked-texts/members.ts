import type { CustomMember, Member, Members } from '../../../sdk/dialect/members.ts';
import type { TextSpan } from '../../../sdk/dialect/text-span.ts';

export type { Member, Members } from '../../../sdk/dialect/members.ts';

type Kind = TextSpan['kind'];

export const structural: Member = { is: 'structural' };
/** An object or a list of ids, enumerations and numbers. */
export const facts: Member = { is: 'facts' };
export const instructions: Member = { is: 'instructions' };
export const echo: Member = { is: 'echo' };
export const media: Member = { is: 'media' };
export const refused: Member = { is: 'refused' };

const withKind = <Rule extends object>(rule: Rule, kind: Kind | undefined): Rule & { readonly kind?: Kind } =>
  kind === undefined ? rule : { ...rule, kind };

export const text = (kind?: Kind): Member => withKind({ is: 'text' }, kind);
export const value = (kind?: Kind): Member => withKind({ is: 'value' }, kind);
export const json = (kind?: Kind): Member => withKind({ is: 'json' }, kind);
/** An object with its documented members. If it has a kind, it applies to all texts without a kind of their own. */
export const object = (members: Members, kind?: Kind): Member => withKind({ is: 'object', members }, kind);
/** A list. A single item in its place is read as a list, because some providers accept it. */
export const list = (item: Member): Member => ({ is: 'list', item });
/** The choices of an answer, numbered by their `index`, or else by their position. */
export const choices = (item: Member): Member => ({ is: 'choices', item });
/** An object whose members are named by the caller. */
export const map = (member: Member): Member => ({ is: 'map', member });
/** Words of a request that come before its judged turns. */
export const before = (member: Member): Member => ({ is: 'before', member });
/** Marks a member that repeats earlier text in the table of an answer. */
export const again = (member: Member): Member => ({ is: 'again', member });
/** Words of a stream's frame that the dialect's events do not report. */
export const unreported = (member: Member): Member => ({ is: 'untold', member });
/** A string, or something else. */
export const textOr = (other: Member): Member => ({ is: 'text-or', other });
/** Chooses the table by the value of a member, or `absent` without it. An unknown value is judged as a whole. */
export const variants = (by: string, cases: Members, absent: Member): Member => ({ is: 'variants', by, cases, absent });
/** For a member that contains itself, such as the content of a tool's result. */
export const lazy = (member: () => Member): Member => ({ is: 'lazy', member });
/** Several members with the same rule, by their names. */
export const all = (names: string, member: Member): Members =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, member]),
  );
/** A text in a special format, with an example that contains the words of a test in that format. */
export const custom = (read: CustomMember['read'], example: CustomMember['example']): Member => ({
  is: 'custom',
  read,
  example,
});
