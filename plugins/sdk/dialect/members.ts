import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { SpanPlace, TextSpan } from './text-span.ts';

/**
 * How checks read one documented member of a format. Data, so that a test can visit every member of every dialect; a
 * member that a table does not list is judged as a whole. A value that is not of the documented shape is judged too.
 *
 * - `structural`: an id, an enumeration, a number, a URL or a proof. Nobody reads it as words; with white space in it, or
 *   as an object, it is judged all the same, because it is not what the format documents.
 * - `facts`: an object or a list of ids, enumerations and numbers: each string in it is structural.
 * - `instructions`: what the application says to the model, such as tools and schemas. Not judged.
 * - `echo`: what repeats judged texts in another form, such as the probabilities of their tokens. Not judged.
 * - `before`: words that stand before the judged turns, such as a system prompt. Not judged, but replaced as turns are that
 *   were judged with an earlier request. Only a member of a request itself can be one.
 * - `text`: words. `value`: any JSON; its strings are judged, one a line. `json`: the same, written as JSON text.
 * - `map`: an object whose members have names of the caller's.
 * - `choices`: a list of an answer's choices; each has its number as `index`.
 * - `again`: of an answer, what says again what is said before it in the table: judged where it says something else.
 * - `untold`: in the frame of a stream, words that the dialect's events do not tell.
 * - `media`: an image, a recording or a video, whose words no check can read.
 * - `refused`: what may hold words that cannot be read; a check that may deny denies it.
 * - `custom`: a text in a form of its own, such as a file in base64.
 */
export type Member =
  | { readonly is: 'structural' | 'facts' | 'instructions' | 'echo' | 'media' | 'refused' }
  | { readonly is: 'text' | 'value' | 'json'; readonly kind?: TextSpan['kind'] }
  | { readonly is: 'object'; readonly members: Members; readonly kind?: TextSpan['kind'] }
  | { readonly is: 'list' | 'choices'; readonly item: Member }
  | { readonly is: 'map' | 'before' | 'again' | 'untold'; readonly member: Member }
  | { readonly is: 'text-or'; readonly other: Member }
  | { readonly is: 'variants'; readonly by: string; readonly cases: Members; readonly absent: Member }
  | { readonly is: 'lazy'; readonly member: () => Member }
  | CustomMember;

/** A text in a form of its own. */
export interface CustomMember {
  readonly is: 'custom';
  /**
   * `media` for what no check can read, but may stand beside words; undefined for a text that cannot be read. `within` are
   * the objects that it is in, the innermost first: one may say its type.
   */
  readonly read: (
    value: Json,
    place: SpanPlace,
    within: readonly JsonObject[],
  ) => readonly TextSpan[] | 'media' | undefined;
  /** A value in which `words` can be read, for tests. */
  readonly example: (words: string) => Json;
}

/** By name, in the order in which their texts are read. */
export interface Members {
  readonly [name: string]: Member;
}

/** The members of the bodies of a dialect. */
export interface DialectMembers {
  readonly request: Member;
  readonly answer: Member;
  /**
   * The data of a stream's frame, as JSON. Where the framing names the event beside the data, an object with that name as
   * its only member. Absent: there are no streams.
   */
  readonly frame?: Member;
}
