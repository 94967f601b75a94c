import type { Json } from '../../../schema/json.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import type { SpanPlace } from './text-spans.ts';

type Kind = TextSpan['kind'];

/**
 * How checks read one documented member of a format. Data, so that a test can visit every member of every dialect; a
 * member that a table does not list is judged as a whole (`read-members.ts`).
 *
 * - `structural`: an id, an enumeration, a number, a URL or a proof. Nobody reads it as words; with white space in it, or
 *   as an object, it is judged all the same, because it is not what the format documents.
 * - `instructions`: what the application says to the model, such as tools and schemas. Not judged.
 * - `text`: words. Anything but a string there is judged as a whole.
 * - `value`: any JSON; its strings are judged, one a line. `json`: the same, written as JSON text.
 * - `media`: an image, a recording or a video, whose words no check can read.
 * - `refused`: what may hold words that cannot be read; a check that may deny denies it.
 * - `custom`: a text in a form of its own, such as a file in base64; undefined where it cannot be read.
 */
export type Member =
  | { readonly is: 'structural' | 'instructions' | 'media' | 'refused' }
  | { readonly is: 'text' | 'value' | 'json'; readonly kind?: Kind }
  | { readonly is: 'object'; readonly members: Members; readonly kind?: Kind }
  | { readonly is: 'list'; readonly item: Member }
  | { readonly is: 'text-or'; readonly other: Member }
  | { readonly is: 'variants'; readonly by: string; readonly cases: Members; readonly absent: Member }
  | { readonly is: 'lazy'; readonly member: () => Member }
  | {
      readonly is: 'custom';
      readonly read: (value: Json, place: SpanPlace) => readonly TextSpan[] | undefined;
      /** A value in which `words` can be read, for tests. */
      readonly example: (words: string) => Json;
    };

/** By name, in the order in which their texts are read. */
export interface Members {
  readonly [name: string]: Member;
}

export const structural: Member = { is: 'structural' };
export const instructions: Member = { is: 'instructions' };
export const media: Member = { is: 'media' };
export const refused: Member = { is: 'refused' };

const withKind = <Rule extends object>(rule: Rule, kind: Kind | undefined): Rule & { readonly kind?: Kind } =>
  kind === undefined ? rule : { ...rule, kind };

export const text = (kind?: Kind): Member => withKind({ is: 'text' }, kind);
export const value = (kind?: Kind): Member => withKind({ is: 'value' }, kind);
export const json = (kind?: Kind): Member => withKind({ is: 'json' }, kind);
/** Its documented members; with a kind, their texts are of that kind unless they say another. */
export const object = (members: Members, kind?: Kind): Member => withKind({ is: 'object', members }, kind);
/** A list; a single item in its place is read as one, since some providers accept it. */
export const list = (item: Member): Member => ({ is: 'list', item });
/** A string, or something else. */
export const textOr = (other: Member): Member => ({ is: 'text-or', other });
/** By the value of a member; `absent` without it. An unknown value is judged as a whole. */
export const variants = (by: string, cases: Members, absent: Member): Member => ({ is: 'variants', by, cases, absent });
/** For a member that contains itself, such as the content of a tool's result. */
export const lazy = (member: () => Member): Member => ({ is: 'lazy', member });
